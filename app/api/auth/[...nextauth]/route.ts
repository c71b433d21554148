import { handleAuth } from "@/server/access/handle-auth";

type Context = { params: Promise<{ nextauth: string[] }> };

async function handle(request: Request, { params }: Context): Promise<Response> {
  return handleAuth(request, (await params).nextauth);
}

export { handle as GET, handle as POST };
