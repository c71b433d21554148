import type { Principal } from "@/server/access/principal";
import type { SessionClaims } from "@/server/access/read-session";
import type { Db } from "@/server/db";
import type { AppError } from "@/server/errors";

/** What every procedure is handed. Made by create-context.ts, or by a test. */
export type TRPCContext = {
  db: Db;
  /** Null: nobody is signed in, and no token was sent or it was refused. */
  principal: Principal | null;
  /** Why a token that was sent does not count. */
  refusal?: AppError;
  requestId: string;
  /** Where the request comes from; only setting up asks. */
  peer: { isLocal: boolean; address: string };
  /** Puts another session into the cookie of whoever asked; where there is a cookie. */
  renewSession?(claims: SessionClaims): Promise<void>;
};
