"use strict";
// Shows the rows that pass the three filters. The filters are kept in the address, so that
// a filtered view can be opened again: #session=main&path=src&code=FS_SANDBOX_DENIED
const filters = document.getElementById("filters");
const rows = Array.from(document.getElementById("rows").rows);
const cell = (row, index) => row.cells[index].textContent;

function show() {
  const { session, path, code } = Object.fromEntries(new FormData(filters));
  let shown = 0;
  for (const row of rows) {
    const passes = (!session || cell(row, 1) === session)
      && (!code || cell(row, 2).toLowerCase() === code.toLowerCase())
      && cell(row, 4).includes(path);
    row.hidden = !passes;
    shown += passes ? 1 : 0;
  }
  document.getElementById("count").textContent = `${shown} of ${rows.length} records`;
}

function take() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  for (const input of filters.elements) input.value = wanted.get(input.name) ?? "";
  show();
}

filters.addEventListener("submit", (event) => event.preventDefault());
filters.addEventListener("input", () => {
  const kept = new URLSearchParams();
  for (const [name, value] of new FormData(filters)) if (value) kept.set(name, value);
  history.replaceState(null, "", `#${kept}`);
  show();
});
addEventListener("hashchange", take);
take();
