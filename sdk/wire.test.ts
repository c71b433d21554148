import { expectTypeOf, it } from "vitest";
import type { ChangePage } from "@/server/changes/schema";
import type { IngestResult } from "@/server/ingest/schema";
import type { ChangesPage, IngestAnswer } from "./wire.ts";

it("says of the wire what the server says of it", () => {
  expectTypeOf<keyof ChangesPage>().toEqualTypeOf<keyof ChangePage>();
  expectTypeOf<keyof ChangesPage["changes"][number]>().toEqualTypeOf<keyof ChangePage["changes"][number]>();
  expectTypeOf<keyof NonNullable<ChangesPage["changes"][number]["document"]>>().toEqualTypeOf<
    keyof NonNullable<ChangePage["changes"][number]["document"]>
  >();
  expectTypeOf<IngestResult>().toExtend<IngestAnswer>();
  expectTypeOf<keyof IngestAnswer>().toEqualTypeOf<keyof IngestResult>();
});
