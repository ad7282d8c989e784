// The page's server, and through it the daemon's methods.

import { alarm } from "./banners.js";

let token = sessionStorage.getItem("token");
let turnedAway = () => {};

// Methods that the daemon does not know, which may be an older one.
export const missing = new Set();

export const gone = "The home screen's server has gone. "
  + "Start `nightjar home` again and open the address that it prints.";
const patience = 90000;  // A fetch with its launch takes a minute at most.

// Whether this browser was let in, as far as it knows.
export const isIn = () => token !== null;

// Names what happens when the server does not know this browser any more.
export function whenTurnedAway(act) {
  turnedAway = act;
}

// Exchanges a code for a token.
export async function enter(code) {
  const response = await fetch("enter", { method: "POST", body: JSON.stringify({ code }) });
  const answer = await response.json();
  if (!response.ok) throw answer;
  token = answer.token;
  sessionStorage.setItem("token", token);
}

export function leave() {
  token = null;
  sessionStorage.removeItem("token");
}

// Requests something from the server as a browser that was let in.
export async function ask(path, options = {}) {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(path, { ...options, headers, cache: "no-store" });
  if (response.status === 401) {
    turnedAway();
    throw { code: "noToken", message: "This browser has to be let in again." };
  }
  if (!response.ok) throw await response.json().catch(() => ({ code: "failed", message: response.statusText }));
  return response;
}

// An error in words for people: browsers have their own words for a server that does not answer.
export const inWords = (error) => (error instanceof TypeError ? { code: "gone", message: gone } : error);

// Calls a method of the daemon.
export async function call(method, parameters = {}) {
  try {
    const options = { method: "POST", body: JSON.stringify(parameters), signal: AbortSignal.timeout(patience) };
    return await (await ask(`api/${method}`, options)).json();
  } catch (error) {
    if (error.name === "TimeoutError") throw { code: "gone", message: "The home screen's server does not answer." };
    if (error.code === "noSuchMethod" || error.code === "unintelligible") missing.add(method);
    throw error.message ? inWords(error) : { code: "gone", message: String(error) };
  }
}

// Calls a method for a person, and shows the reason if it fails.
export async function want(method, parameters = {}) {
  try {
    return await call(method, parameters);
  } catch (error) {
    if (error.code !== "noToken") alarm(error.message);
    return null;
  }
}

// Calls a method for the page itself; null if that fails.
export async function seek(method, parameters = {}) {
  if (missing.has(method)) return null;
  return call(method, parameters).catch(() => null);
}

// Makes of a question one whose answers count in the order of asking, though they may overtake each other on their way:
// what comes after the answer to a later question is null, like no answer.
export function inOrder(question) {
  let [asked, answered] = [0, 0];
  return async (...parts) => {
    asked += 1;
    const mine = asked;
    const answer = await question(...parts);
    if (answer === null || mine < answered) return null;
    answered = mine;
    return answer;
  };
}
