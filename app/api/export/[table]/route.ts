import { db } from "@/server/db";
import { answerExport } from "@/server/export/answer-export";
import { createContext } from "@/server/trpc/create-context";

export const dynamic = "force-dynamic";

/** Tables as CSV, and the feeds as OPML: downloads for the signed-in person, or for a token. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ table: string }> },
): Promise<Response> {
  const { table } = await params;
  const { principal, refusal, requestId } = await createContext(request.headers);
  return answerExport(db(), table, new URL(request.url).searchParams, { principal, refusal, requestId });
}
