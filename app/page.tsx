import { redirect } from "next/navigation";

/** The overview is the front door: whether all is well stands there first. */
export default function RootPage() {
  redirect("/overview");
}
