import { db } from "@/server/db";
import { readHealth } from "@/server/rest/health";

export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
  return readHealth(db);
}
