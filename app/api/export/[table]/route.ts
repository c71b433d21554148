import { db } from "@/server/db";
import { answerExport } from "@/server/export/answer-export";
import { measured } from "@/server/metrics/note-request";
import { createContext } from "@/server/trpc/create-context";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ table: string }> };

/** Tables as CSV, and the feeds as OPML: downloads for the signed-in person, or for a token. */
export const GET = measured("/api/export/{table}", answer);

async function answer(request: Request, { params }: Context): Promise<Response> {
  const { table } = await params;
  const { principal, refusal, requestId } = await createContext(request.headers);
  return answerExport(db(), table, new URL(request.url).searchParams, { principal, refusal, requestId });
}
