import { describe, expect, it } from "vitest";
import type { LiveHint } from "@/server/live/schema";
import { isTouched } from "./live-queries";

const key = (path: string, input: object = {}) => ({ queryKey: [path.split("."), { input, type: "query" }] });
const hint = (kind: LiveHint["kind"], ids: string[] | null): LiveHint[] => [{ kind, ids }];

describe("isTouched", () => {
  it("reads lists again when anything in them changed, and one thing only when it did", () => {
    expect(isTouched(key("feeds.list", { status: "failing" }), hint("feed", ["feed_a"]))).toBe(true);
    expect(isTouched(key("feeds.get", { feedId: "feed_a" }), hint("feed", ["feed_a"]))).toBe(true);
    expect(isTouched(key("feeds.get", { feedId: "feed_b" }), hint("feed", ["feed_a"]))).toBe(false);
    expect(isTouched(key("runs.get", { runId: "run_b" }), hint("run", ["run_a"]))).toBe(false);
  });

  it("takes hints without names, and lost hints, for everything of their kind", () => {
    expect(isTouched(key("runs.get", { runId: "run_b" }), hint("run", null))).toBe(true);
    expect(isTouched(key("tokens.list"), hint("all", null))).toBe(true);
    expect(isTouched(key("adapters.list"), hint("all", null))).toBe(false);
  });

  it("leaves documents of other feeds alone", () => {
    expect(isTouched(key("documents.list", { feedId: "feed_b" }), hint("documents", ["feed_a"]))).toBe(false);
    expect(isTouched(key("documents.list"), hint("documents", ["feed_a"]))).toBe(true);
  });

  it("knows only keys of procedures", () => {
    expect(isTouched({ queryKey: ["reset-preview", "feed_a"] }, hint("all", null))).toBe(false);
  });
});
