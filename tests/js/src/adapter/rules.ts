// The functions of `text`.

import type { Root as Texts } from "../../generated/texts/texts.js";
import { refusing } from "./decisions.js";
import type { Functions } from "./main.js";
import { camel, record } from "./values.js";

export function rules(texts: Texts["text"]): Functions {
  return {
    "text.apply-edit": ({ content, edit }) =>
      refusing(() => record(texts.applyEdit(content, camel(edit)))),
    "text.show": ({ content, version, window }) =>
      record(texts.show(content, version, camel(window))),
  };
}
