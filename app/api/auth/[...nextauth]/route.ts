import { handleAuth } from "@/server/access/handle-auth";
import { measured } from "@/server/metrics/note-request";

type Context = { params: Promise<{ nextauth: string[] }> };

const handle = measured("/api/auth", async (request: Request, { params }: Context) =>
  handleAuth(request, (await params).nextauth),
);

export { handle as GET, handle as POST };
