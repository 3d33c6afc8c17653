// Names as bytes and as text, by the escape of wit/filesystem.wit: each byte that is not
// UTF-8 is one character of U+EF80 to U+EFFF, and so is each byte of such a character.

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const FIRST = 0xef80;
const LAST = 0xefff;

/** The text of a name or path. */
export function toText(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceAt(bytes, at);
    if (length === 0) {
      text += String.fromCharCode(0xef00 + (bytes[at] as number));
      at += 1;
    } else {
      text += strict.decode(bytes.subarray(at, at + length));
      at += length;
    }
  }
  return text;
}

/** The bytes of a name or path. */
export function toBytes(text: string): Buffer {
  const parts: Buffer[] = [];
  let plain = "";
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (code >= FIRST && code <= LAST) {
      parts.push(Buffer.from(plain), Buffer.from([code - 0xef00]));
      plain = "";
    } else {
      plain += character;
    }
  }
  return Buffer.concat([...parts, Buffer.from(plain)]);
}

/** How long the character at this place is, in bytes; 0 where it has to be escaped. */
function sequenceAt(bytes: Buffer, at: number): number {
  const first = bytes[at] as number;
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (at + length > bytes.length) return 0;
  try {
    const code = strict.decode(bytes.subarray(at, at + length)).codePointAt(0) as number;
    return code >= FIRST && code <= LAST ? 0 : length;
  } catch {
    return 0;
  }
}

/** A path as messages show it: what could forge a line is written out. */
export function shown(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\\]/gu, (character) =>
    character === "\\" ? "\\\\" : `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
}
