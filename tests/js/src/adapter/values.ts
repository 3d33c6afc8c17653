// Values of WIT as JSON: a case without a payload is its name, one with a payload an
// object of one field; names of fields are those of WIT.

/** `{ tag, val }` of jco as JSON. */
export function variant(value: { tag: string; val?: unknown }): unknown {
  return value.val === undefined ? value.tag : { [value.tag]: value.val };
}

/** JSON as `{ tag, val }`. */
export function tagged<T>(value: string | Record<string, unknown>): T {
  if (typeof value === "string") return { tag: value } as T;
  const [[tag, val]] = Object.entries(value) as [[string, unknown]];
  return { tag, val } as T;
}

/** A record of jco as JSON. */
export function record(value: object): unknown {
  const fields = Object.entries(value).map(([name, field]) => [kebab(name), json(field)]);
  return Object.fromEntries(fields);
}

/** JSON as a record of jco; null is an absent option. */
export function camel<T>(value: Record<string, unknown>): T {
  const fields = Object.entries(value).map(([name, field]) => [
    name.replace(/-(.)/gu, (_, letter: string) => letter.toUpperCase()),
    field ?? undefined,
  ]);
  return Object.fromEntries(fields) as T;
}

function json(field: unknown): unknown {
  if (typeof field === "bigint") return Number(field);
  if (Array.isArray(field) || ArrayBuffer.isView(field)) return Array.from(field as never, json);
  return typeof field === "object" && field !== null ? record(field) : (field ?? null);
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}
