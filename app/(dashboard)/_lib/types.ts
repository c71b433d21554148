import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/root";

export type Outputs = inferRouterOutputs<AppRouter>;

export type Source = Outputs["sources"]["get"];
export type Feed = Outputs["feeds"]["get"];
export type Run = Outputs["runs"]["list"]["items"][number];
export type RunDetail = Outputs["runs"]["get"];
export type DocumentRow = Outputs["documents"]["list"]["items"][number];
export type Rejection = Outputs["feeds"]["rejections"]["items"][number];
export type DocumentDetail = Outputs["documents"]["get"];
export type Overview = Outputs["overview"]["get"];
export type ChartDay = Outputs["overview"]["charts"]["days"][number];
export type TokenRow = Outputs["tokens"]["list"][number];
export type People = Outputs["people"]["list"];
export type Person = People["people"][number];
export type Invitation = People["invitations"][number];
export type Webhook = Outputs["webhooks"]["get"];
export type Delivery = Outputs["webhooks"]["deliveries"]["items"][number];
export type DeliveryDetail = Outputs["webhooks"]["delivery"];
export type ChangeFeedStatus = Outputs["changes"]["status"];
export type ConsumerRow = Outputs["changes"]["consumers"]["items"][number];
export type TailPage = import("@/server/changes/schema").TailPage;
