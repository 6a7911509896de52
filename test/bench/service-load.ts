import { Agent, request } from "node:http";

const CONNECTIONS = 16;

/**
 * How many requests a second a server answers, from so many connections at once, over a time in
 * milliseconds.
 */
export async function measureRate(url: string, token: string, forMs: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let answered = 0;
  const endMs = performance.now() + forMs;
  const work = async () => {
    while (performance.now() < endMs) {
      await ask(url, token, agent);
      answered++;
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  const seconds = (performance.now() - began) / 1_000;
  agent.destroy();
  return answered / seconds;
}

/** Milliseconds until the whole answer is there; one request after the other. */
export async function measureLatency(
  url: string,
  token: string,
  count: number,
  init?: { method: string; body: () => string },
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const began = performance.now();
    await ask(url, token, agent, init);
    times.push(performance.now() - began);
  }
  agent.destroy();
  return times.sort((a, b) => a - b)[Math.floor(count / 2)] ?? Number.NaN;
}

function ask(
  url: string,
  token: string,
  agent: Agent,
  init?: { method: string; body: () => string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { agent, method: init?.method ?? "GET", headers: { authorization: `Bearer ${token}` } },
      (response) => {
        if ((response.statusCode ?? 500) >= 300)
          reject(new Error(`${url} answered ${response.statusCode}`));
        response.resume();
        response.once("end", resolve);
      },
    );
    sent.once("error", reject);
    sent.end(init?.body());
  });
}
