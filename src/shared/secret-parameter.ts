const SECRET = /pass(word|phrase|code)|secret|token|credential|api_?key|private_?key/i;

/** Whether the name of a parameter suggests a secret, which must not be stored or shown. */
export function isSecretParameter(name: string): boolean {
  return SECRET.test(name);
}
