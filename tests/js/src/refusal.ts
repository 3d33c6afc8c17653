// The error of a result, as jco throws it: the value itself, or an error with a payload,
// depending on its release. Anything else that is thrown is a defect and goes on.

export function refusal<T>(thrown: unknown): T {
  if (typeof thrown === "object" && thrown !== null && "payload" in thrown) {
    return thrown.payload as T;
  }
  if (thrown instanceof Error) throw thrown;
  return thrown as T;
}
