/** What a scan looks for: a secret under a name, in each form in which it could travel. */
export interface Canary {
  name: string;
  forms: readonly string[];
}

/**
 * A planted secret with its forms: plain, JSON-escaped once and twice, percent- and form-encoded,
 * base64 alone and behind any prefix.
 */
export function createCanary(name: string, secret: string): Canary {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const twice = JSON.stringify(escaped).slice(1, -1);
  const encoded = [
    encodeURIComponent(secret),
    new URLSearchParams([["", secret]]).toString().slice(1),
  ];
  // Without the first and last characters of a group of three, which depend on the neighbours.
  const base64 = ["", "x", "xy"].map((prefix) =>
    Buffer.from(prefix + secret)
      .toString("base64")
      .slice(4, -4),
  );
  const forms = [
    secret,
    escaped,
    twice,
    ...encoded,
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ];
  return { name, forms: [...new Set(forms)] };
}

/** @returns the names of the canaries that a text contains, with the form that was found */
export function findCanaries(text: string, canaries: readonly Canary[]): string[] {
  // Colours and line breaks must not hide one.
  const folded = text.replace(/\u001b\[[0-9;]*m/g, "");
  return canaries.flatMap(({ name, forms }) =>
    forms.filter((form) => folded.includes(form)).map((form) => `${name}: ${form}`),
  );
}
