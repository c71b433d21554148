import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type After, type KeptState, keepSubscription } from "./keep-subscription";

type Handlers = Parameters<Parameters<typeof keepSubscription<string>>[0]["subscribe"]>[0];

/** A tab's page that is looked at, or not. */
class FakeDocument extends EventTarget {
  visibilityState: "visible" | "hidden" = "visible";
  show(state: "visible" | "hidden") {
    this.visibilityState = state;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

let page: FakeDocument;
let opened: Handlers[];
let closed: number;
let states: KeptState[];
let events: [string, After][];
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  page = new FakeDocument();
  vi.stubGlobal("document", page);
  [opened, closed, states, events] = [[], 0, [], []];
  end = keepSubscription<string>({
    subscribe(handlers) {
      opened.push(handlers);
      return {
        unsubscribe() {
          closed += 1;
        },
      };
    },
    isFinal: (error) => error === "final",
    onEvent: (event, after) => events.push([event, after]),
    onState: (state) => states.push(state),
  });
});
afterEach(() => {
  end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const last = () => states.at(-1)?.state;

it("says what each event comes after: a start, another event, or a connection that broke", () => {
  opened[0]?.onData("a");
  opened[0]?.onData("b");
  opened[0]?.onConnectionStateChange({ state: "connecting", error: new Error("gone") });
  opened[0]?.onData("c");
  expect(events).toEqual([
    ["a", "start"],
    ["b", "event"],
    ["c", "break"],
  ]);
  expect(opened).toHaveLength(1);
});

it("calls it lost only when it stays away, since when it went", () => {
  opened[0]?.onData("a");
  const since = new Date();
  opened[0]?.onConnectionStateChange({ state: "connecting", error: new Error("gone") });
  vi.advanceTimersByTime(1_000);
  opened[0]?.onData("b");
  vi.advanceTimersByTime(10_000);
  expect(last()).toBe("live");
  opened[0]?.onConnectionStateChange({ state: "connecting", error: new Error("gone") });
  vi.advanceTimersByTime(2_500);
  expect(states.at(-1)).toEqual({ state: "lost", since: new Date(since.getTime() + 11_000) });
});

it("begins anew after the server ended it, and not where that would be answered the same", () => {
  opened[0]?.onError("busy");
  expect(closed).toBe(1);
  vi.advanceTimersByTime(5_000);
  expect(opened).toHaveLength(2);
  opened[1]?.onData("a");
  expect(events).toEqual([["a", "start"]]);
  opened[1]?.onError("final");
  expect(states.at(-1)).toEqual({ state: "ended", error: "final" });
  vi.advanceTimersByTime(60_000);
  page.show("visible");
  expect(opened).toHaveLength(2);
});

it("gives its connection back while nobody looks, and begins anew when somebody does", () => {
  page.show("hidden");
  vi.advanceTimersByTime(10_000);
  page.show("visible");
  expect(closed, "a short look away").toBe(0);
  page.show("hidden");
  vi.advanceTimersByTime(15_000);
  expect(closed).toBe(1);
  page.show("visible");
  expect(opened).toHaveLength(2);
  end();
  expect(closed).toBe(2);
  page.show("visible");
  vi.advanceTimersByTime(60_000);
  expect(opened).toHaveLength(2);
});
