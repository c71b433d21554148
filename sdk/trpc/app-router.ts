// Written by `npm run router-types` from server/trpc/root.ts; do not edit.
// biome-ignore-all lint/suspicious/noConfusingVoidType: tRPC's own way of saying "no input"
import type {
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from "@trpc/server";
import type { RouterRoot } from "./router-root.ts";

export type AppRouter = TRPCBuiltRouter<
  RouterRoot,
  {
    setup: {
      status: TRPCQueryProcedure<{ meta: object; input: void; output: { local: boolean; needed: boolean } }>;
      createOwner: TRPCMutationProcedure<{
        meta: object;
        input: {
          email: string;
          password: string;
          name: string;
          workspaceName: string;
          code?: undefined | string;
        };
        output: { userId: string };
      }>;
    };
    workspace: {
      current: TRPCQueryProcedure<{
        meta: object;
        input: void;
        output: {
          workspace: { id: number; name: string };
          user: null | { id: string; name: string; email: string };
          role: null | "admin" | "viewer" | "member" | "owner";
        };
      }>;
      settings: TRPCQueryProcedure<{
        meta: object;
        input: void;
        output: { retentionDays: number; runRetentionDays: number };
      }>;
      updateSettings: TRPCMutationProcedure<{
        meta: object;
        input: { retentionDays?: undefined | number; runRetentionDays?: undefined | number };
        output: { retentionDays: number; runRetentionDays: number };
      }>;
      rename: TRPCMutationProcedure<{ meta: object; input: { name: string }; output: { name: string } }>;
    };
    people: {
      list: TRPCQueryProcedure<{
        meta: object;
        input: void;
        output: {
          people: {
            id: string;
            name: string;
            email: string;
            role: "admin" | "viewer" | "member" | "owner";
            joinedAt: Date;
            lastSignInAt: null | Date;
            tokenCount: number;
          }[];
          invitations: {
            id: string;
            email: string;
            role: "admin" | "viewer" | "member" | "owner";
            invitedBy: string;
            createdAt: Date;
            expiresAt: Date;
          }[];
        };
      }>;
      changeRole: TRPCMutationProcedure<{
        meta: object;
        input: {
          userId: string;
          role: "admin" | "viewer" | "member" | "owner";
          revokeTokens?: undefined | boolean;
        };
        output: { userId: string; role: "admin" | "viewer" | "member" | "owner"; revokedTokens: string[] };
      }>;
      remove: TRPCMutationProcedure<{
        meta: object;
        input: { userId: string; revokeTokens?: undefined | boolean };
        output: { userId: string; revokedTokens: string[] };
      }>;
      invite: TRPCMutationProcedure<{
        meta: object;
        input: { email: string; role: "admin" | "viewer" | "member" | "owner" };
        output: {
          id: string;
          email: string;
          role: "admin" | "viewer" | "member" | "owner";
          expiresAt: Date;
          token: string;
        };
      }>;
      withdrawInvitation: TRPCMutationProcedure<{
        meta: object;
        input: { invitationId: string };
        output: { id: string };
      }>;
      acceptInvitation: TRPCMutationProcedure<{
        meta: object;
        input: { token: string; name: string; password: string };
        output: { email: string; userId: string };
      }>;
    };
    account: {
      rename: TRPCMutationProcedure<{ meta: object; input: { name: string }; output: { name: string } }>;
      changePassword: TRPCMutationProcedure<{
        meta: object;
        input: { currentPassword: string; newPassword: string };
        output: { changed: boolean };
      }>;
    };
    adapters: {
      list: TRPCQueryProcedure<{
        meta: object;
        input: void;
        output: {
          type: string;
          name: string;
          description: string;
          category: string;
          hosts: readonly string[];
          watermark: "date" | "token" | "idSet" | "none";
          auth: readonly ("none" | "basic" | "bearer")[];
          authHints: { none?: undefined | string; basic?: undefined | string; bearer?: undefined | string };
          canDiscover: boolean;
          discoversMany: boolean;
          canCheck: boolean;
          configSchema: { [key: string]: unknown };
          externalKey: string;
          externalKeyIsUrl: boolean;
          runsOn: readonly ("cloud" | "agent")[];
        }[];
      }>;
    };
    sources: {
      list: TRPCQueryProcedure<{
        meta: object;
        input: {
          dir?: undefined | "asc" | "desc";
          limit?: undefined | number;
          after?: undefined | string;
          before?: undefined | string;
          sort?: undefined | "status" | "name" | "created" | "feeds" | "documents" | "lastSuccess";
          status?: undefined | "active" | "paused" | "failing" | "needs_reconnect" | "deleting";
          type?: undefined | string;
          q?: undefined | string;
        };
        output: {
          items: {
            id: string;
            type: string;
            name: string;
            key: null | string;
            config: { [key: string]: unknown };
            runsOn: "cloud" | "agent" | "api";
            status: "active" | "paused" | "failing" | "needs_reconnect" | "deleting";
            feedCount: number;
            documentCount: number;
            createdAt: string;
            updatedAt: string;
            hasCredentials: boolean;
            lastSuccessAt: null | string;
            problems: {
              feedId: string;
              name: string;
              status: "paused" | "failing" | "needs_reconnect" | "rate_limited" | "disabled";
              message: string;
            }[];
            newFeeds: {
              isPossible: boolean;
              isReady: boolean;
              isOn: boolean;
              address: null | string;
              lastLookAt: null | string;
              nextLookAt: null | string;
              isLooking: boolean;
              error: null | {
                origin: "upstream" | "adapter" | "tidemark";
                code: string;
                message: string;
                detail: null | string;
                retryable: boolean;
                at: string;
              };
              result: null | {
                added: { feedId: string; name: string }[];
                known: number;
                refused: number;
                elsewhere: number;
                waiting: number;
                unusable: number;
              };
            };
          }[];
          nextAfter: null | string;
          prevBefore: null | string;
        };
      }>;
      matching: TRPCQueryProcedure<{
        meta: object;
        input: {
          status?: undefined | "active" | "paused" | "failing" | "needs_reconnect" | "deleting";
          type?: undefined | string;
          q?: undefined | string;
        };
        output: {
          sources: { id: string; name: string; feedCount: number; documentCount: number }[];
          truncated: boolean;
        };
      }>;
      get: TRPCQueryProcedure<{
        meta: object;
        input: { sourceId: string };
        output: {
          id: string;
          type: string;
          name: string;
          key: null | string;
          config: { [key: string]: unknown };
          runsOn: "cloud" | "agent" | "api";
          status: "active" | "paused" | "failing" | "needs_reconnect" | "deleting";
          feedCount: number;
          documentCount: number;
          createdAt: string;
          updatedAt: string;
          hasCredentials: boolean;
          lastSuccessAt: null | string;
          problems: {
            feedId: string;
            name: string;
            status: "paused" | "failing" | "needs_reconnect" | "rate_limited" | "disabled";
            message: string;
          }[];
          newFeeds: {
            isPossible: boolean;
            isReady: boolean;
            isOn: boolean;
            address: null | string;
            lastLookAt: null | string;
            nextLookAt: null | string;
            isLooking: boolean;
            error: null | {
              origin: "upstream" | "adapter" | "tidemark";
              code: string;
              message: string;
              detail: null | string;
              retryable: boolean;
              at: string;
            };
            result: null | {
              added: { feedId: string; name: string }[];
              known: number;
              refused: number;
              elsewhere: number;
              waiting: number;
              unusable: number;
            };
          };
        };
      }>;
      create: TRPCMutationProcedure<{
        meta: object;
        input: {
          type: string;
          name?: undefined | string;
          key?: undefined | null | string;
          config?: undefined | { [key: string]: unknown };
          runsOn?: undefined | "cloud" | "agent" | "api";
          feeds?:
            | undefined
            | {
                externalKey: string;
                name?: undefined | null | string;
                watermark?: undefined | null | "date" | "token" | "idSet" | "none";
                config?: undefined | { [key: string]: unknown };
                intervalSeconds?: undefined | null | number;
              }[];
          credentials?:
            | undefined
            | { type: "basic"; username: string; password: string }
            | { type: "bearer"; token: string };
          newFeeds?:
            | undefined
            | { isOn?: undefined | boolean; address?: undefined | string; leftOut?: undefined | string[] };
        };
        output: {
          created: boolean;
          id: string;
          type: string;
          name: string;
          key: null | string;
          config: { [key: string]: unknown };
          runsOn: "cloud" | "agent" | "api";
          status: "active" | "paused" | "failing" | "needs_reconnect" | "deleting";
          feedCount: number;
          documentCount: number;
          createdAt: string;
          updatedAt: string;
          hasCredentials: boolean;
          lastSuccessAt: null | string;
          problems: {
            feedId: string;
            name: string;
            status: "paused" | "failing" | "needs_reconnect" | "rate_limited" | "disabled";
            message: string;
          }[];
          newFeeds: {
            isPossible: boolean;
            isReady: boolean;
            isOn: boolean;
            address: null | string;
            lastLookAt: null | string;
            nextLookAt: null | string;
            isLooking: boolean;
            error: null | {
              origin: "upstream" | "adapter" | "tidemark";
              code: string;
              message: string;
              detail: null | string;
              retryable: boolean;
              at: string;
            };
            result: null | {
              added: { feedId: string; name: string }[];
              known: number;
              refused: number;
              elsewhere: number;
              waiting: number;
              unusable: number;
            };
          };
          feeds: {
            id: string;
            sourceId: string;
            externalKey: string;
            name: null | string;
            watermark: null | "date" | "token" | "idSet" | "none";
            cursor: null | string;
            documentCount: number;
            status:
              | "active"
              | "paused"
              | "failing"
              | "needs_reconnect"
              | "deleting"
              | "rate_limited"
              | "disabled";
            intervalSeconds: null | number;
            lastAttemptAt: null | string;
            lastSuccessAt: null | string;
            lastNewDocumentAt: null | string;
            failingSince: null | string;
            nextSyncAt: null | string;
            error: null | {
              origin: "upstream" | "adapter" | "tidemark";
              code: string;
              message: string;
              detail: null | string;
              retryable: boolean;
              at: string;
            };
            config: { [key: string]: unknown };
            createdAt: string;
            updatedAt: string;
            upstreamTitle: null | string;
            displayName: string;
            sourceName: string;
            sourceType: string;
            runsOn: "cloud" | "agent" | "api";
            nextSyncReason: null | string;
            rateLimitedUntil: null | string;
            pausedBy: null | "person" | "source" | "failures";
            consecutiveFailures: number;
            activeRunId: null | string;
            heldDeletes: number;
            rejections: number;
          }[];
        };
      }>;
      update: TRPCMutationProcedure<{
        meta: object;
        input: {
          sourceId: string;
          name?: undefined | string;
          config?: undefined | { [key: string]: unknown };
          runsOn?: undefined | "cloud" | "agent" | "api";
          credentials?:
            | undefined
            | null
            | { type: "basic"; username: string; password: string }
            | { type: "bearer"; token: string };
          newFeeds?: undefined | { isOn?: undefined | boolean; address?: undefined | string };
        };
        output: {
          id: string;
          type: string;
          name: string;
          key: null | string;
          config: { [key: string]: unknown };
          runsOn: "cloud" | "agent" | "api";
          status: "active" | "paused" | "failing" | "needs_reconnect" | "deleting";
          feedCount: number;
          documentCount: number;
          createdAt: string;
          updatedAt: string;
          hasCredentials: boolean;
          lastSuccessAt: null | string;
          problems: {
            feedId: string;
            name: string;
            status: "paused" | "failing" | "needs_reconnect" | "rate_limited" | "disabled";
            message: string;
          }[];
          newFeeds: {
            isPossible: boolean;
            isReady: boolean;
            isOn: boolean;
            address: null | string;
            lastLookAt: null | string;
            nextLookAt: null | string;
            isLooking: boolean;
            error: null | {
              origin: "upstream" | "adapter" | "tidemark";
              code: string;
              message: string;
              detail: null | string;
              retryable: boolean;
              at: string;
            };
            result: null | {
              added: { feedId: string; name: string }[];
              known: number;
              refused: number;
              elsewhere: number;
              waiting: number;
              unusable: number;
            };
          };
        };
      }>;
      delete: TRPCMutationProcedure<{
        meta: object;
        input: { sourceId: string };
        output: null | {
          id: string;
          type: string;
          name: string;
          key: null | string;
          config: { [key: string]: unknown };
          runsOn: "cloud" | "agent" | "api";
          status: "active" | "paused" | "failing" | "needs_reconnect" | "deleting";
          feedCount: number;
          documentCount: number;
          createdAt: string;
          updatedAt: string;
          hasCredentials: boolean;
          lastSuccessAt: null | string;
          problems: {
            feedId: string;
            name: string;
            status: "paused" | "failing" | "needs_reconnect" | "rate_limited" | "disabled";
            message: string;
          }[];
          newFeeds: {
            isPossible: boolean;
            isReady: boolean;
            isOn: boolean;
            address: null | string;
            lastLookAt: null | string;
            nextLookAt: null | string;
            isLooking: boolean;
            error: null | {
              origin: "upstream" | "adapter" | "tidemark";
              code: string;
              message: string;
              detail: null | string;
              retryable: boolean;
              at: string;
            };
            result: null | {
              added: { feedId: string; name: string }[];
              known: number;
              refused: number;
              elsewhere: number;
              waiting: number;
              unusable: number;
            };
          };
        };
      }>;
      pause: TRPCMutationProcedure<{
        meta: object;
        input: { sourceId: string };
        output: {
          id: string;
          type: string;
          name: string;
          key: null | string;
          config: { [key: string]: unknown };
          runsOn: "cloud" | "agent" | "api";
          status: "active" | "paused" | "failing" | "needs_reconnect" | "deleting";
          feedCount: number;
          documentCount: number;
          createdAt: string;
          updatedAt: string;
          hasCredentials: boolean;
          lastSuccessAt: null | string;
          problems: {
            feedId: string;
            name: string;
            status: "paused" | "failing" | "needs_reconnect" | "rate_limited" | "disabled";
            message: string;
          }[];
          newFeeds: {
            isPossible: boolean;
            isReady: boolean;
            isOn: boolean;
            address: null | string;
            lastLookAt: null | string;
            nextLookAt: null | string;
            isLooking: boolean;
            error: null | {
              origin: "upstream" | "adapter" | "tidemark";
              code: string;
              message: string;
              detail: null | string;
              retryable: boolean;
              at: string;
            };
            result: null | {
              added: { feedId: string; name: string }[];
              known: number;
              refused: number;
              elsewhere: number;
              waiting: number;
              unusable: number;
            };
          };
        };
      }>;
      resume: TRPCMutationProcedure<{
        meta: object;
        input: { sourceId: string };
        output: {
          id: string;
          type: string;
          name: string;
          key: null | string;
          config: { [key: string]: unknown };
          runsOn: "cloud" | "agent" | "api";
          status: "active" | "paused" | "failing" | "needs_reconnect" | "deleting";
          feedCount: number;
          documentCount: number;
          createdAt: string;
          updatedAt: string;
          hasCredentials: boolean;
          lastSuccessAt: null | string;
          problems: {
            feedId: string;
            name: string;
            status: "paused" | "failing" | "needs_reconnect" | "rate_limited" | "disabled";
            message: string;
          }[];
          newFeeds: {
            isPossible: boolean;
            isReady: boolean;
            isOn: boolean;
            address: null | string;
            lastLookAt: null | string;
            nextLookAt: null | string;
            isLooking: boolean;
            error: null | {
              origin: "upstream" | "adapter" | "tidemark";
              code: string;
              message: string;
              detail: null | string;
              retryable: boolean;
              at: string;
            };
            result: null | {
              added: { feedId: string; name: string }[];
              known: number;
              refused: number;
              elsewhere: number;
              waiting: number;
              unusable: number;
            };
          };
        };
      }>;
      sync: TRPCMutationProcedure<{
        meta: object;
        input: { sourceId: string };
        output: {
          id: string;
          type: string;
          name: string;
          key: null | string;
          config: { [key: string]: unknown };
          runsOn: "cloud" | "agent" | "api";
          status: "active" | "paused" | "failing" | "needs_reconnect" | "deleting";
          feedCount: number;
          documentCount: number;
          createdAt: string;
          updatedAt: string;
          hasCredentials: boolean;
          lastSuccessAt: null | string;
          problems: {
            feedId: string;
            name: string;
            status: "paused" | "failing" | "needs_reconnect" | "rate_limited" | "disabled";
            message: string;
          }[];
          newFeeds: {
            isPossible: boolean;
            isReady: boolean;
            isOn: boolean;
            address: null | string;
            lastLookAt: null | string;
            nextLookAt: null | string;
            isLooking: boolean;
            error: null | {
              origin: "upstream" | "adapter" | "tidemark";
              code: string;
              message: string;
              detail: null | string;
              retryable: boolean;
              at: string;
            };
            result: null | {
              added: { feedId: string; name: string }[];
              known: number;
              refused: number;
              elsewhere: number;
              waiting: number;
              unusable: number;
            };
          };
          runs: { feedId: string; runId: string; joined: boolean }[];
        };
      }>;
      lookForFeeds: TRPCMutationProcedure<{
        meta: object;
        input: { sourceId: string };
        output: {
          added: { feedId: string; name: string }[];
          known: number;
          refused: number;
          elsewhere: number;
          waiting: number;
          unusable: number;
        };
      }>;
      bulk: TRPCMutationProcedure<{
        meta: object;
        input: { sourceIds: string[]; action: "delete" | "pause" | "resume" | "sync" };
        output: {
          results: (
            | { id: string; ok: true; changed: boolean; before: null | string; runId: null | string }
            | {
                id: string;
                ok: false;
                code:
                  | "rate_limited"
                  | "unauthenticated"
                  | "forbidden"
                  | "not_found"
                  | "feed_not_found"
                  | "invalid_request"
                  | "malformed_json"
                  | "body_too_large"
                  | "unsupported_encoding"
                  | "too_many_documents"
                  | "cursor_invalid"
                  | "cursor_filter_mismatch"
                  | "cursor_expired"
                  | "feed_disabled"
                  | "feed_deleting"
                  | "run_fenced"
                  | "run_active"
                  | "document_deleted"
                  | "conflict"
                  | "upstream_failed"
                  | "unavailable"
                  | "internal_error";
                message: string;
              }
          )[];
          succeeded: number;
          changed: number;
          failed: number;
        };
      }>;
      discover: TRPCMutationProcedure<{
        meta: object;
        input: {
          type: string;
          input?: undefined | null | string;
          config?: undefined | { [key: string]: unknown };
          credentials?:
            | undefined
            | { type: "basic"; username: string; password: string }
            | { type: "bearer"; token: string };
        };
        output: {
          feeds: {
            externalKey: string;
            name: string;
            description?: undefined | string;
            movedFrom?: undefined | string;
            sampleTitles?: undefined | string[];
          }[];
        };
      }>;
      check: TRPCMutationProcedure<{
        meta: object;
        input: {
          type: string;
          externalKey: string;
          config?: undefined | { [key: string]: unknown };
          credentials?:
            | undefined
            | { type: "basic"; username: string; password: string }
            | { type: "bearer"; token: string };
          feedConfig?: undefined | { [key: string]: unknown };
        };
        output: {
          ok: true;
          message: string;
          feedTitle?: undefined | string;
          documents?: undefined | number;
          finalUrl?: undefined | string;
        };
      }>;
    };
    feeds: {
      list: TRPCQueryProcedure<{
        meta: object;
        input: {
          dir?: undefined | "asc" | "desc";
          limit?: undefined | number;
          after?: undefined | string;
          before?: undefined | string;
          sort?:
            | undefined
            | "status"
            | "name"
            | "created"
            | "documents"
            | "lastSuccess"
            | "source"
            | "lastNewDocument"
            | "nextSync"
            | "failingSince";
          sourceId?: undefined | string;
          status?:
            | undefined
            | "active"
            | "paused"
            | "failing"
            | "needs_reconnect"
            | "deleting"
            | "rate_limited"
            | "disabled";
          type?: undefined | string;
          q?: undefined | string;
          cause?: undefined | string;
          group?: undefined | string;
        };
        output: {
          items: {
            id: string;
            sourceId: string;
            externalKey: string;
            name: null | string;
            watermark: null | "date" | "token" | "idSet" | "none";
            cursor: null | string;
            documentCount: number;
            status:
              | "active"
              | "paused"
              | "failing"
              | "needs_reconnect"
              | "deleting"
              | "rate_limited"
              | "disabled";
            intervalSeconds: null | number;
            lastAttemptAt: null | string;
            lastSuccessAt: null | string;
            lastNewDocumentAt: null | string;
            failingSince: null | string;
            nextSyncAt: null | string;
            error: null | {
              origin: "upstream" | "adapter" | "tidemark";
              code: string;
              message: string;
              detail: null | string;
              retryable: boolean;
              at: string;
            };
            config: { [key: string]: unknown };
            createdAt: string;
            updatedAt: string;
            upstreamTitle: null | string;
            displayName: string;
            sourceName: string;
            sourceType: string;
            runsOn: "cloud" | "agent" | "api";
            nextSyncReason: null | string;
            rateLimitedUntil: null | string;
            pausedBy: null | "person" | "source" | "failures";
            consecutiveFailures: number;
            activeRunId: null | string;
            heldDeletes: number;
            rejections: number;
          }[];
          nextAfter: null | string;
          prevBefore: null | string;
        };
      }>;
      matching: TRPCQueryProcedure<{
        meta: object;
        input: {
          sourceId?: undefined | string;
          status?:
            | undefined
            | "active"
            | "paused"
            | "failing"
            | "needs_reconnect"
            | "deleting"
            | "rate_limited"
            | "disabled";
          type?: undefined | string;
          q?: undefined | string;
          cause?: undefined | string;
          group?: undefined | string;
        };
        output: { feeds: { id: string; name: string; documentCount: number }[]; truncated: boolean };
      }>;
      history: TRPCQueryProcedure<{
        meta: object;
        input: { feedIds: string[]; days?: undefined | number };
        output: {
          feedId: string;
          days: {
            day: string;
            succeeded: number;
            partial: number;
            failed: number;
            cancelled: number;
            changes: number;
          }[];
        }[];
      }>;
      get: TRPCQueryProcedure<{
        meta: object;
        input: { feedId: string };
        output: {
          id: string;
          sourceId: string;
          externalKey: string;
          name: null | string;
          watermark: null | "date" | "token" | "idSet" | "none";
          cursor: null | string;
          documentCount: number;
          status:
            | "active"
            | "paused"
            | "failing"
            | "needs_reconnect"
            | "deleting"
            | "rate_limited"
            | "disabled";
          intervalSeconds: null | number;
          lastAttemptAt: null | string;
          lastSuccessAt: null | string;
          lastNewDocumentAt: null | string;
          failingSince: null | string;
          nextSyncAt: null | string;
          error: null | {
            origin: "upstream" | "adapter" | "tidemark";
            code: string;
            message: string;
            detail: null | string;
            retryable: boolean;
            at: string;
          };
          config: { [key: string]: unknown };
          createdAt: string;
          updatedAt: string;
          upstreamTitle: null | string;
          displayName: string;
          sourceName: string;
          sourceType: string;
          runsOn: "cloud" | "agent" | "api";
          nextSyncReason: null | string;
          rateLimitedUntil: null | string;
          pausedBy: null | "person" | "source" | "failures";
          consecutiveFailures: number;
          activeRunId: null | string;
          heldDeletes: number;
          rejections: number;
        };
      }>;
      add: TRPCMutationProcedure<{
        meta: object;
        input: {
          externalKey: string;
          sourceId: string;
          name?: undefined | null | string;
          watermark?: undefined | null | "date" | "token" | "idSet" | "none";
          config?: undefined | { [key: string]: unknown };
          intervalSeconds?: undefined | null | number;
        };
        output: {
          created: boolean;
          id: string;
          sourceId: string;
          externalKey: string;
          name: null | string;
          watermark: null | "date" | "token" | "idSet" | "none";
          cursor: null | string;
          documentCount: number;
          status:
            | "active"
            | "paused"
            | "failing"
            | "needs_reconnect"
            | "deleting"
            | "rate_limited"
            | "disabled";
          intervalSeconds: null | number;
          lastAttemptAt: null | string;
          lastSuccessAt: null | string;
          lastNewDocumentAt: null | string;
          failingSince: null | string;
          nextSyncAt: null | string;
          error: null | {
            origin: "upstream" | "adapter" | "tidemark";
            code: string;
            message: string;
            detail: null | string;
            retryable: boolean;
            at: string;
          };
          config: { [key: string]: unknown };
          createdAt: string;
          updatedAt: string;
          upstreamTitle: null | string;
          displayName: string;
          sourceName: string;
          sourceType: string;
          runsOn: "cloud" | "agent" | "api";
          nextSyncReason: null | string;
          rateLimitedUntil: null | string;
          pausedBy: null | "person" | "source" | "failures";
          consecutiveFailures: number;
          activeRunId: null | string;
          heldDeletes: number;
          rejections: number;
        };
      }>;
      update: TRPCMutationProcedure<{
        meta: object;
        input: {
          feedId: string;
          name?: undefined | null | string;
          config?: undefined | { [key: string]: unknown };
          intervalSeconds?: undefined | null | number;
        };
        output: {
          id: string;
          sourceId: string;
          externalKey: string;
          name: null | string;
          watermark: null | "date" | "token" | "idSet" | "none";
          cursor: null | string;
          documentCount: number;
          status:
            | "active"
            | "paused"
            | "failing"
            | "needs_reconnect"
            | "deleting"
            | "rate_limited"
            | "disabled";
          intervalSeconds: null | number;
          lastAttemptAt: null | string;
          lastSuccessAt: null | string;
          lastNewDocumentAt: null | string;
          failingSince: null | string;
          nextSyncAt: null | string;
          error: null | {
            origin: "upstream" | "adapter" | "tidemark";
            code: string;
            message: string;
            detail: null | string;
            retryable: boolean;
            at: string;
          };
          config: { [key: string]: unknown };
          createdAt: string;
          updatedAt: string;
          upstreamTitle: null | string;
          displayName: string;
          sourceName: string;
          sourceType: string;
          runsOn: "cloud" | "agent" | "api";
          nextSyncReason: null | string;
          rateLimitedUntil: null | string;
          pausedBy: null | "person" | "source" | "failures";
          consecutiveFailures: number;
          activeRunId: null | string;
          heldDeletes: number;
          rejections: number;
        };
      }>;
      checkMove: TRPCMutationProcedure<{
        meta: object;
        input: { externalKey: string; feedId: string };
        output: {
          found: null | {
            ok: true;
            message: string;
            feedTitle?: undefined | string;
            documents?: undefined | number;
            finalUrl?: undefined | string;
          };
          isSame: boolean;
          rule: "restart" | "kept" | "choice";
          rivalId: null | string;
        };
      }>;
      move: TRPCMutationProcedure<{
        meta: object;
        input: { externalKey: string; position: "keep" | "restart"; feedId: string };
        output: {
          id: string;
          sourceId: string;
          externalKey: string;
          name: null | string;
          watermark: null | "date" | "token" | "idSet" | "none";
          cursor: null | string;
          documentCount: number;
          status:
            | "active"
            | "paused"
            | "failing"
            | "needs_reconnect"
            | "deleting"
            | "rate_limited"
            | "disabled";
          intervalSeconds: null | number;
          lastAttemptAt: null | string;
          lastSuccessAt: null | string;
          lastNewDocumentAt: null | string;
          failingSince: null | string;
          nextSyncAt: null | string;
          error: null | {
            origin: "upstream" | "adapter" | "tidemark";
            code: string;
            message: string;
            detail: null | string;
            retryable: boolean;
            at: string;
          };
          config: { [key: string]: unknown };
          createdAt: string;
          updatedAt: string;
          upstreamTitle: null | string;
          displayName: string;
          sourceName: string;
          sourceType: string;
          runsOn: "cloud" | "agent" | "api";
          nextSyncReason: null | string;
          rateLimitedUntil: null | string;
          pausedBy: null | "person" | "source" | "failures";
          consecutiveFailures: number;
          activeRunId: null | string;
          heldDeletes: number;
          rejections: number;
        };
      }>;
      delete: TRPCMutationProcedure<{
        meta: object;
        input: { feedId: string };
        output: null | {
          id: string;
          sourceId: string;
          externalKey: string;
          name: null | string;
          watermark: null | "date" | "token" | "idSet" | "none";
          cursor: null | string;
          documentCount: number;
          status:
            | "active"
            | "paused"
            | "failing"
            | "needs_reconnect"
            | "deleting"
            | "rate_limited"
            | "disabled";
          intervalSeconds: null | number;
          lastAttemptAt: null | string;
          lastSuccessAt: null | string;
          lastNewDocumentAt: null | string;
          failingSince: null | string;
          nextSyncAt: null | string;
          error: null | {
            origin: "upstream" | "adapter" | "tidemark";
            code: string;
            message: string;
            detail: null | string;
            retryable: boolean;
            at: string;
          };
          config: { [key: string]: unknown };
          createdAt: string;
          updatedAt: string;
          upstreamTitle: null | string;
          displayName: string;
          sourceName: string;
          sourceType: string;
          runsOn: "cloud" | "agent" | "api";
          nextSyncReason: null | string;
          rateLimitedUntil: null | string;
          pausedBy: null | "person" | "source" | "failures";
          consecutiveFailures: number;
          activeRunId: null | string;
          heldDeletes: number;
          rejections: number;
        };
      }>;
      pause: TRPCMutationProcedure<{
        meta: object;
        input: { feedId: string };
        output: {
          id: string;
          sourceId: string;
          externalKey: string;
          name: null | string;
          watermark: null | "date" | "token" | "idSet" | "none";
          cursor: null | string;
          documentCount: number;
          status:
            | "active"
            | "paused"
            | "failing"
            | "needs_reconnect"
            | "deleting"
            | "rate_limited"
            | "disabled";
          intervalSeconds: null | number;
          lastAttemptAt: null | string;
          lastSuccessAt: null | string;
          lastNewDocumentAt: null | string;
          failingSince: null | string;
          nextSyncAt: null | string;
          error: null | {
            origin: "upstream" | "adapter" | "tidemark";
            code: string;
            message: string;
            detail: null | string;
            retryable: boolean;
            at: string;
          };
          config: { [key: string]: unknown };
          createdAt: string;
          updatedAt: string;
          upstreamTitle: null | string;
          displayName: string;
          sourceName: string;
          sourceType: string;
          runsOn: "cloud" | "agent" | "api";
          nextSyncReason: null | string;
          rateLimitedUntil: null | string;
          pausedBy: null | "person" | "source" | "failures";
          consecutiveFailures: number;
          activeRunId: null | string;
          heldDeletes: number;
          rejections: number;
        };
      }>;
      resume: TRPCMutationProcedure<{
        meta: object;
        input: { feedId: string };
        output: {
          id: string;
          sourceId: string;
          externalKey: string;
          name: null | string;
          watermark: null | "date" | "token" | "idSet" | "none";
          cursor: null | string;
          documentCount: number;
          status:
            | "active"
            | "paused"
            | "failing"
            | "needs_reconnect"
            | "deleting"
            | "rate_limited"
            | "disabled";
          intervalSeconds: null | number;
          lastAttemptAt: null | string;
          lastSuccessAt: null | string;
          lastNewDocumentAt: null | string;
          failingSince: null | string;
          nextSyncAt: null | string;
          error: null | {
            origin: "upstream" | "adapter" | "tidemark";
            code: string;
            message: string;
            detail: null | string;
            retryable: boolean;
            at: string;
          };
          config: { [key: string]: unknown };
          createdAt: string;
          updatedAt: string;
          upstreamTitle: null | string;
          displayName: string;
          sourceName: string;
          sourceType: string;
          runsOn: "cloud" | "agent" | "api";
          nextSyncReason: null | string;
          rateLimitedUntil: null | string;
          pausedBy: null | "person" | "source" | "failures";
          consecutiveFailures: number;
          activeRunId: null | string;
          heldDeletes: number;
          rejections: number;
        };
      }>;
      sync: TRPCMutationProcedure<{
        meta: object;
        input: { feedId: string; wait?: undefined | number };
        output: {
          runId: string;
          joined: boolean;
          run: null | {
            id: string;
            feedId: string;
            sourceId: string;
            status: "queued" | "running" | "succeeded" | "partial" | "failed" | "abandoned" | "cancelled";
            trigger: "api" | "schedule" | "manual" | "webhook" | "launch";
            executor: "cloud" | "agent" | "api";
            actor:
              | { type: "user"; id: string; name: string }
              | { type: "token"; id: string; name: string }
              | { type: "scheduler" }
              | { type: "cli" };
            startedAt: null | string;
            finishedAt: null | string;
            cursorBefore: null | string;
            cursorAfter: null | string;
            pages: number;
            created: number;
            updated: number;
            skipped: number;
            deleted: number;
            rejected: number;
            requests: number;
            bytes: string;
            warnings: { code: string; message: string }[];
            error: null | {
              origin: "upstream" | "adapter" | "tidemark";
              code: string;
              message: string;
              detail: null | string;
              retryable: boolean;
            };
            feedName: null | string;
            sourceName: null | string;
            listing: boolean;
            restarted: boolean;
            durations: {
              fetchMs?: undefined | number;
              commitMs?: undefined | number;
              totalMs?: undefined | number;
            };
            queuedAt: string;
            leaseExpiresAt: null | string;
            requestId: null | string;
            events: {
              at: string;
              level: string;
              kind: string;
              message: string;
              data: { [key: string]: unknown };
            }[];
          };
        };
      }>;
      bulk: TRPCMutationProcedure<{
        meta: object;
        input: { feedIds: string[]; action: "delete" | "pause" | "resume" | "sync" };
        output: {
          results: (
            | { id: string; ok: true; changed: boolean; before: null | string; runId: null | string }
            | {
                id: string;
                ok: false;
                code:
                  | "rate_limited"
                  | "unauthenticated"
                  | "forbidden"
                  | "not_found"
                  | "feed_not_found"
                  | "invalid_request"
                  | "malformed_json"
                  | "body_too_large"
                  | "unsupported_encoding"
                  | "too_many_documents"
                  | "cursor_invalid"
                  | "cursor_filter_mismatch"
                  | "cursor_expired"
                  | "feed_disabled"
                  | "feed_deleting"
                  | "run_fenced"
                  | "run_active"
                  | "document_deleted"
                  | "conflict"
                  | "upstream_failed"
                  | "unavailable"
                  | "internal_error";
                message: string;
              }
          )[];
          succeeded: number;
          changed: number;
          failed: number;
        };
      }>;
      reset: TRPCMutationProcedure<{
        meta: object;
        input: {
          to: null | string | { beforeRun: string };
          reason: string;
          feedId: string;
          dryRun?: undefined | boolean;
        };
        output: {
          feedId: string;
          from: null | string;
          to: null | string;
          dryRun: boolean;
          transitionId: null | string;
          documentsKept: number;
          effect: string;
        };
      }>;
      transitions: TRPCQueryProcedure<{
        meta: object;
        input: { feedId: string; limit?: undefined | number; after?: undefined | string };
        output: {
          items: {
            id: string;
            from: null | string;
            to: null | string;
            outcome: "restart" | "reset" | "kept" | "advanced" | "unchanged" | "resync";
            conflict: boolean;
            runId: null | string;
            actor:
              | { type: "user"; id: string; name: string }
              | { type: "token"; id: string; name: string }
              | { type: "scheduler" }
              | { type: "cli" };
            reason: null | string;
            at: string;
          }[];
          nextAfter: null | string;
        };
      }>;
      heldDeletes: TRPCQueryProcedure<{
        meta: object;
        input: { feedId: string; limit?: undefined | number; after?: undefined | string };
        output: {
          items: { id: string; runId: string; count: number; sample: string[]; reason: string; at: string }[];
          nextAfter: null | string;
        };
      }>;
      heldItems: TRPCQueryProcedure<{
        meta: object;
        input: {
          feedId: string;
          holdId: string;
          dir?: undefined | "asc" | "desc";
          limit?: undefined | number;
          after?: undefined | string;
          before?: undefined | string;
          q?: undefined | string;
        };
        output: {
          items: {
            documentId: string;
            externalId: null | string;
            title: null | string;
            url: null | string;
            isSpared: boolean;
          }[];
          nextAfter: null | string;
          prevBefore: null | string;
        };
      }>;
      approveHeldDelete: TRPCMutationProcedure<{
        meta: object;
        input: { feedId: string; holdId: string };
        output: { deleted: number; spared: number };
      }>;
      dismissHeldDelete: TRPCMutationProcedure<{
        meta: object;
        input: { feedId: string; holdId: string };
        output: null;
      }>;
      rejections: TRPCQueryProcedure<{
        meta: object;
        input: {
          dir?: undefined | "asc" | "desc";
          limit?: undefined | number;
          after?: undefined | string;
          before?: undefined | string;
          sort?: undefined | "first" | "last" | "occurrences";
          feedId?: undefined | string;
          sourceId?: undefined | string;
          code?: undefined | string;
          q?: undefined | string;
        };
        output: {
          items: {
            id: string;
            externalId: null | string;
            code: string;
            message: string;
            payload: unknown;
            runId: null | string;
            at: string;
            occurrences: number;
            lastAt: string;
            feedId: string;
            sourceId: string;
            feedName: null | string;
            sourceName: null | string;
          }[];
          nextAfter: null | string;
          prevBefore: null | string;
        };
      }>;
      matchingRejections: TRPCQueryProcedure<{
        meta: object;
        input: {
          feedId?: undefined | string;
          sourceId?: undefined | string;
          code?: undefined | string;
          q?: undefined | string;
        };
        output: {
          rejections: { id: string; feedId: string; externalId: null | string }[];
          truncated: boolean;
        };
      }>;
      retryRejection: TRPCMutationProcedure<{
        meta: object;
        input: { feedId: string; rejectionId: string; document?: unknown };
        output: {
          documentsIndexed: number;
          documentsSkipped: number;
          documentsDeleted: number;
          created: number;
          updated: number;
          documentsRejected: {
            index: number;
            id: null | string;
            code:
              | "document_invalid"
              | "external_id_missing"
              | "external_id_invalid"
              | "external_id_too_long"
              | "version_invalid"
              | "version_kind_mismatch"
              | "version_missing"
              | "text_too_large"
              | "metadata_too_large"
              | "date_invalid";
            message: string;
          }[];
          cursor: null | string;
          cursorOutcome: "kept" | "advanced" | "unchanged";
          conflict: boolean;
          warnings: { code: "cursor_conflict" | "cursor_clamped" | "cursor_kept"; message: string }[];
          runId: string;
        };
      }>;
      retryRejections: TRPCMutationProcedure<{
        meta: object;
        input: { rejections: { feedId: string; rejectionId: string }[] };
        output: {
          results: (
            | { id: string; ok: true; changed: boolean; before: null | string; runId: null | string }
            | {
                id: string;
                ok: false;
                code:
                  | "rate_limited"
                  | "unauthenticated"
                  | "forbidden"
                  | "not_found"
                  | "feed_not_found"
                  | "invalid_request"
                  | "malformed_json"
                  | "body_too_large"
                  | "unsupported_encoding"
                  | "too_many_documents"
                  | "cursor_invalid"
                  | "cursor_filter_mismatch"
                  | "cursor_expired"
                  | "feed_disabled"
                  | "feed_deleting"
                  | "run_fenced"
                  | "run_active"
                  | "document_deleted"
                  | "conflict"
                  | "upstream_failed"
                  | "unavailable"
                  | "internal_error";
                message: string;
              }
          )[];
          succeeded: number;
          changed: number;
          failed: number;
        };
      }>;
      discardRejections: TRPCMutationProcedure<{
        meta: object;
        input: { rejections: { feedId: string; rejectionId: string }[] };
        output: {
          results: (
            | { id: string; ok: true; changed: boolean; before: null | string; runId: null | string }
            | {
                id: string;
                ok: false;
                code:
                  | "rate_limited"
                  | "unauthenticated"
                  | "forbidden"
                  | "not_found"
                  | "feed_not_found"
                  | "invalid_request"
                  | "malformed_json"
                  | "body_too_large"
                  | "unsupported_encoding"
                  | "too_many_documents"
                  | "cursor_invalid"
                  | "cursor_filter_mismatch"
                  | "cursor_expired"
                  | "feed_disabled"
                  | "feed_deleting"
                  | "run_fenced"
                  | "run_active"
                  | "document_deleted"
                  | "conflict"
                  | "upstream_failed"
                  | "unavailable"
                  | "internal_error";
                message: string;
              }
          )[];
          succeeded: number;
          changed: number;
          failed: number;
        };
      }>;
    };
    documents: {
      list: TRPCQueryProcedure<{
        meta: object;
        input: {
          dir?: undefined | "asc" | "desc";
          limit?: undefined | number;
          after?: undefined | string;
          before?: undefined | string;
          deleted?: undefined | boolean;
          order?: undefined | "oldest" | "newest";
          feedId?: undefined | string;
          sourceId?: undefined | string;
          state?: undefined | "any" | "live" | "deleted";
          q?: undefined | string;
          since?: undefined | string;
          until?: undefined | string;
        };
        output: {
          items: {
            id: string;
            feedId: string;
            sourceId: string;
            externalId: string;
            version: null | string;
            title: null | string;
            url: null | string;
            author: null | string;
            date: null | string;
            metadata: { [key: string]: unknown };
            format: "text" | "html" | "markdown";
            deleted: boolean;
            seq: string;
            createdAt: string;
            changedAt: string;
            lastRunId: null | string;
            feedName: null | string;
            sourceName: null | string;
          }[];
          nextAfter: null | string;
          prevBefore: null | string;
        };
      }>;
      get: TRPCQueryProcedure<{
        meta: object;
        input: { documentId: string };
        output: {
          id: string;
          feedId: string;
          sourceId: string;
          externalId: string;
          version: null | string;
          title: null | string;
          url: null | string;
          author: null | string;
          date: null | string;
          metadata: { [key: string]: unknown };
          format: "text" | "html" | "markdown";
          deleted: boolean;
          seq: string;
          createdAt: string;
          changedAt: string;
          lastRunId: null | string;
          text: null | string;
          feedName: null | string;
          sourceName: null | string;
          lastRun: null | {
            id: string;
            feedId: string;
            sourceId: string;
            status: "queued" | "running" | "succeeded" | "partial" | "failed" | "abandoned" | "cancelled";
            trigger: "api" | "schedule" | "manual" | "webhook" | "launch";
            executor: "cloud" | "agent" | "api";
            actor:
              | { type: "user"; id: string; name: string }
              | { type: "token"; id: string; name: string }
              | { type: "scheduler" }
              | { type: "cli" };
            startedAt: null | string;
            finishedAt: null | string;
            cursorBefore: null | string;
            cursorAfter: null | string;
            pages: number;
            created: number;
            updated: number;
            skipped: number;
            deleted: number;
            rejected: number;
            requests: number;
            bytes: string;
            warnings: { code: string; message: string }[];
            error: null | {
              origin: "upstream" | "adapter" | "tidemark";
              code: string;
              message: string;
              detail: null | string;
              retryable: boolean;
            };
            feedName: null | string;
            sourceName: null | string;
            listing: boolean;
            restarted: boolean;
            durations: {
              fetchMs?: undefined | number;
              commitMs?: undefined | number;
              totalMs?: undefined | number;
            };
            queuedAt: string;
            leaseExpiresAt: null | string;
            requestId: null | string;
          };
          transitions: {
            id: string;
            from: null | string;
            to: null | string;
            outcome: string;
            conflict: boolean;
            at: string;
          }[];
        };
      }>;
    };
    changes: {
      status: TRPCQueryProcedure<{
        meta: object;
        input: void;
        output: {
          head: string;
          safePoint: string;
          horizon: string;
          epoch: string;
          waiters: number;
          maxWaiters: number;
          retentionDays: number;
        };
      }>;
      head: TRPCQueryProcedure<{
        meta: object;
        input: void;
        output: { head: string; safePoint: string; horizon: string; epoch: string; cursor: string };
      }>;
      pull: TRPCQueryProcedure<{
        meta: object;
        input: {
          text?: undefined | boolean;
          sourceId?: undefined | string;
          feedId?: undefined | string;
          cursor?: undefined | string;
          limit?: undefined | number;
        };
        output: {
          changes: {
            seq: string;
            op: "delete" | "upsert";
            sourceId: string;
            feedId: string;
            documentId: string;
            externalId: string;
            version: null | string;
            changedAt: string;
            document: null | {
              title: null | string;
              url: null | string;
              author: null | string;
              date: null | string;
              metadata: { [key: string]: unknown };
              text?: undefined | null | string;
            };
          }[];
          cursor: string;
          hasMore: boolean;
        };
      }>;
      consumers: TRPCQueryProcedure<{
        meta: object;
        input:
          | undefined
          | {
              dir?: undefined | "asc" | "desc";
              limit?: undefined | number;
              after?: undefined | string;
              before?: undefined | string;
              sort?: undefined | "name" | "seen" | "behind";
            };
        output: {
          items: {
            name: string;
            position: string;
            lag: null | string;
            behind: null | number;
            behindSince: null | string;
            distanceToHorizon: null | string;
            expiresAt: null | string;
            expiredBy: null | "horizon" | "epoch";
            isFirstWalk: boolean;
            sourceId: null | string;
            feedId: null | string;
            sourceName: null | string;
            feedName: null | string;
            by: { type: "token" | "user" | "scheduler" | "cli"; name: null | string };
            seenAt: string;
            createdAt: string;
          }[];
          nextAfter: null | string;
          prevBefore: null | string;
        };
      }>;
      retentionEffect: TRPCQueryProcedure<{
        meta: object;
        input: { days: number };
        output: { deletes: number; consumers: string[] };
      }>;
      deleteConsumer: TRPCMutationProcedure<{ meta: object; input: { name: string }; output: void }>;
      tail: TRPCSubscriptionProcedure<{
        meta: object;
        input:
          | undefined
          | {
              lastEventId?: undefined | null | string;
              sourceId?: undefined | string;
              feedId?: undefined | string;
              cursor?: undefined | string;
            };
        output: AsyncIterable<{
          id: string;
          data: {
            changes: {
              seq: string;
              op: "delete" | "upsert";
              sourceId: string;
              feedId: string;
              documentId: string;
              externalId: string;
              version: null | string;
              changedAt: string;
              document: null | {
                title: null | string;
                url: null | string;
                author: null | string;
                date: null | string;
                metadata: { [key: string]: unknown };
                text?: undefined | null | string;
              };
            }[];
            cursor: string;
            hasMore: boolean;
            names: { [key: string]: { feedName: null | string; sourceName: null | string } };
          };
        }>;
      }>;
    };
    runs: {
      list: TRPCQueryProcedure<{
        meta: object;
        input: {
          dir?: undefined | "asc" | "desc";
          limit?: undefined | number;
          after?: undefined | string;
          before?: undefined | string;
          sort?: undefined | "length" | "changes" | "started";
          feedId?: undefined | string;
          sourceId?: undefined | string;
          status?:
            | undefined
            | "queued"
            | "running"
            | "succeeded"
            | "partial"
            | "failed"
            | "abandoned"
            | "cancelled";
          executor?: undefined | "cloud" | "agent" | "api";
          trigger?: undefined | "api" | "schedule" | "manual" | "webhook" | "launch";
          since?: undefined | string;
          until?: undefined | string;
        };
        output: {
          items: {
            id: string;
            feedId: string;
            sourceId: string;
            status: "queued" | "running" | "succeeded" | "partial" | "failed" | "abandoned" | "cancelled";
            trigger: "api" | "schedule" | "manual" | "webhook" | "launch";
            executor: "cloud" | "agent" | "api";
            actor:
              | { type: "user"; id: string; name: string }
              | { type: "token"; id: string; name: string }
              | { type: "scheduler" }
              | { type: "cli" };
            startedAt: null | string;
            finishedAt: null | string;
            cursorBefore: null | string;
            cursorAfter: null | string;
            pages: number;
            created: number;
            updated: number;
            skipped: number;
            deleted: number;
            rejected: number;
            requests: number;
            bytes: string;
            warnings: { code: string; message: string }[];
            error: null | {
              origin: "upstream" | "adapter" | "tidemark";
              code: string;
              message: string;
              detail: null | string;
              retryable: boolean;
            };
            feedName: null | string;
            sourceName: null | string;
            listing: boolean;
            restarted: boolean;
            durations: {
              fetchMs?: undefined | number;
              commitMs?: undefined | number;
              totalMs?: undefined | number;
            };
            queuedAt: string;
            leaseExpiresAt: null | string;
            requestId: null | string;
          }[];
          nextAfter: null | string;
          prevBefore: null | string;
        };
      }>;
      get: TRPCQueryProcedure<{
        meta: object;
        input: { runId: string };
        output: {
          id: string;
          feedId: string;
          sourceId: string;
          status: "queued" | "running" | "succeeded" | "partial" | "failed" | "abandoned" | "cancelled";
          trigger: "api" | "schedule" | "manual" | "webhook" | "launch";
          executor: "cloud" | "agent" | "api";
          actor:
            | { type: "user"; id: string; name: string }
            | { type: "token"; id: string; name: string }
            | { type: "scheduler" }
            | { type: "cli" };
          startedAt: null | string;
          finishedAt: null | string;
          cursorBefore: null | string;
          cursorAfter: null | string;
          pages: number;
          created: number;
          updated: number;
          skipped: number;
          deleted: number;
          rejected: number;
          requests: number;
          bytes: string;
          warnings: { code: string; message: string }[];
          error: null | {
            origin: "upstream" | "adapter" | "tidemark";
            code: string;
            message: string;
            detail: null | string;
            retryable: boolean;
          };
          feedName: null | string;
          sourceName: null | string;
          listing: boolean;
          restarted: boolean;
          durations: {
            fetchMs?: undefined | number;
            commitMs?: undefined | number;
            totalMs?: undefined | number;
          };
          queuedAt: string;
          leaseExpiresAt: null | string;
          requestId: null | string;
          events: {
            at: string;
            level: string;
            kind: string;
            message: string;
            data: { [key: string]: unknown };
          }[];
          progress: {
            pages: number;
            documents: number;
            seconds: null | number;
            documentsPerSecond: null | number;
            expectedDocuments: null | number;
            secondsLeft: null | number;
          };
        };
      }>;
      start: TRPCMutationProcedure<{
        meta: object;
        input: {
          feedId: string;
          trigger?: undefined | "api" | "schedule" | "manual" | "webhook" | "launch";
          listing?: undefined | boolean;
        };
        output: { runId: string; leaseExpiresAt: null | string; cursor: null | string };
      }>;
      heartbeat: TRPCMutationProcedure<{
        meta: object;
        input: { runId: string };
        output: { leaseExpiresAt: string };
      }>;
      restart: TRPCMutationProcedure<{
        meta: object;
        input: { reason: string; runId: string };
        output: { cursor: null | string };
      }>;
      finish: TRPCMutationProcedure<{
        meta: object;
        input: {
          status: "succeeded" | "partial" | "failed" | "cancelled";
          runId: string;
          error?:
            | undefined
            | null
            | string
            | {
                message: string;
                origin?: undefined | "upstream" | "adapter" | "tidemark";
                code?: undefined | string;
                detail?: undefined | null | string;
                retryable?: undefined | boolean;
              };
          complete?: undefined | boolean;
          warnings?: undefined | { code: string; message: string }[];
          retryAt?: undefined | null | string;
        };
        output: {
          id: string;
          feedId: string;
          sourceId: string;
          status: "queued" | "running" | "succeeded" | "partial" | "failed" | "abandoned" | "cancelled";
          trigger: "api" | "schedule" | "manual" | "webhook" | "launch";
          executor: "cloud" | "agent" | "api";
          actor:
            | { type: "user"; id: string; name: string }
            | { type: "token"; id: string; name: string }
            | { type: "scheduler" }
            | { type: "cli" };
          startedAt: null | string;
          finishedAt: null | string;
          cursorBefore: null | string;
          cursorAfter: null | string;
          pages: number;
          created: number;
          updated: number;
          skipped: number;
          deleted: number;
          rejected: number;
          requests: number;
          bytes: string;
          warnings: { code: string; message: string }[];
          error: null | {
            origin: "upstream" | "adapter" | "tidemark";
            code: string;
            message: string;
            detail: null | string;
            retryable: boolean;
          };
          feedName: null | string;
          sourceName: null | string;
          listing: boolean;
          restarted: boolean;
          durations: {
            fetchMs?: undefined | number;
            commitMs?: undefined | number;
            totalMs?: undefined | number;
          };
          queuedAt: string;
          leaseExpiresAt: null | string;
          requestId: null | string;
          events: {
            at: string;
            level: string;
            kind: string;
            message: string;
            data: { [key: string]: unknown };
          }[];
        };
      }>;
    };
    tokens: {
      list: TRPCQueryProcedure<{
        meta: object;
        input: void;
        output: {
          id: string;
          name: string;
          prefix: string;
          scopes: (
            | "sources:read"
            | "sources:write"
            | "documents:read"
            | "documents:write"
            | "runs:read"
            | "runs:write"
            | "changes:read"
            | "search:read"
            | "admin"
          )[];
          createdAt: Date;
          expiresAt: null | Date;
          lastUsedAt: null | Date;
          revokedAt: null | Date;
        }[];
      }>;
      create: TRPCMutationProcedure<{
        meta: object;
        input: {
          name: string;
          scopes: (
            | "sources:read"
            | "sources:write"
            | "documents:read"
            | "documents:write"
            | "runs:read"
            | "runs:write"
            | "changes:read"
            | "search:read"
            | "admin"
          )[];
          expiresInDays?: undefined | number;
        };
        output: {
          id: string;
          name: string;
          prefix: string;
          scopes: (
            | "sources:read"
            | "sources:write"
            | "documents:read"
            | "documents:write"
            | "runs:read"
            | "runs:write"
            | "changes:read"
            | "search:read"
            | "admin"
          )[];
          createdAt: Date;
          expiresAt: null | Date;
          lastUsedAt: null | Date;
          revokedAt: null | Date;
          token: string;
        };
      }>;
      revoke: TRPCMutationProcedure<{
        meta: object;
        input: { tokenId: string };
        output: {
          id: string;
          name: string;
          prefix: string;
          scopes: (
            | "sources:read"
            | "sources:write"
            | "documents:read"
            | "documents:write"
            | "runs:read"
            | "runs:write"
            | "changes:read"
            | "search:read"
            | "admin"
          )[];
          createdAt: Date;
          expiresAt: null | Date;
          lastUsedAt: null | Date;
          revokedAt: null | Date;
        };
      }>;
      revokeMany: TRPCMutationProcedure<{
        meta: object;
        input: { tokenIds: string[] };
        output: {
          results: (
            | { id: string; ok: true; changed: boolean; before: null | string; runId: null | string }
            | {
                id: string;
                ok: false;
                code:
                  | "rate_limited"
                  | "unauthenticated"
                  | "forbidden"
                  | "not_found"
                  | "feed_not_found"
                  | "invalid_request"
                  | "malformed_json"
                  | "body_too_large"
                  | "unsupported_encoding"
                  | "too_many_documents"
                  | "cursor_invalid"
                  | "cursor_filter_mismatch"
                  | "cursor_expired"
                  | "feed_disabled"
                  | "feed_deleting"
                  | "run_fenced"
                  | "run_active"
                  | "document_deleted"
                  | "conflict"
                  | "upstream_failed"
                  | "unavailable"
                  | "internal_error";
                message: string;
              }
          )[];
          succeeded: number;
          changed: number;
          failed: number;
        };
      }>;
    };
    webhooks: {
      list: TRPCQueryProcedure<{
        meta: object;
        input: void;
        output: {
          id: string;
          url: string;
          description: string;
          events: (
            | "run.failed"
            | "run.recovered"
            | "feed.paused"
            | "feed.rate_limited"
            | "deletes.held"
            | "changes.available"
          )[];
          status: "enabled" | "disabled";
          disabledBy: null | "person" | "failing" | "gone";
          disabledReason: null | string;
          disabledAt: null | string;
          failingSince: null | string;
          consecutiveFailures: number;
          lastSuccessAt: null | string;
          waitsUntil: null | string;
          overlapUntil: null | string;
          createdAt: string;
          updatedAt: string;
        }[];
      }>;
      get: TRPCQueryProcedure<{
        meta: object;
        input: { webhookId: string };
        output: {
          id: string;
          url: string;
          description: string;
          events: (
            | "run.failed"
            | "run.recovered"
            | "feed.paused"
            | "feed.rate_limited"
            | "deletes.held"
            | "changes.available"
          )[];
          status: "enabled" | "disabled";
          disabledBy: null | "person" | "failing" | "gone";
          disabledReason: null | string;
          disabledAt: null | string;
          failingSince: null | string;
          consecutiveFailures: number;
          lastSuccessAt: null | string;
          waitsUntil: null | string;
          overlapUntil: null | string;
          createdAt: string;
          updatedAt: string;
        };
      }>;
      create: TRPCMutationProcedure<{
        meta: object;
        input: {
          url: string;
          events: (
            | "run.failed"
            | "run.recovered"
            | "feed.paused"
            | "feed.rate_limited"
            | "deletes.held"
            | "changes.available"
          )[];
          description?: undefined | string;
        };
        output: {
          id: string;
          url: string;
          description: string;
          events: (
            | "run.failed"
            | "run.recovered"
            | "feed.paused"
            | "feed.rate_limited"
            | "deletes.held"
            | "changes.available"
          )[];
          status: "enabled" | "disabled";
          disabledBy: null | "person" | "failing" | "gone";
          disabledReason: null | string;
          disabledAt: null | string;
          failingSince: null | string;
          consecutiveFailures: number;
          lastSuccessAt: null | string;
          waitsUntil: null | string;
          overlapUntil: null | string;
          createdAt: string;
          updatedAt: string;
          secret: string;
        };
      }>;
      update: TRPCMutationProcedure<{
        meta: object;
        input: {
          webhookId: string;
          url?: undefined | string;
          events?:
            | undefined
            | (
                | "run.failed"
                | "run.recovered"
                | "feed.paused"
                | "feed.rate_limited"
                | "deletes.held"
                | "changes.available"
              )[];
          description?: undefined | string;
          status?: undefined | "enabled" | "disabled";
        };
        output: {
          id: string;
          url: string;
          description: string;
          events: (
            | "run.failed"
            | "run.recovered"
            | "feed.paused"
            | "feed.rate_limited"
            | "deletes.held"
            | "changes.available"
          )[];
          status: "enabled" | "disabled";
          disabledBy: null | "person" | "failing" | "gone";
          disabledReason: null | string;
          disabledAt: null | string;
          failingSince: null | string;
          consecutiveFailures: number;
          lastSuccessAt: null | string;
          waitsUntil: null | string;
          overlapUntil: null | string;
          createdAt: string;
          updatedAt: string;
        };
      }>;
      delete: TRPCMutationProcedure<{ meta: object; input: { webhookId: string }; output: void }>;
      rotate: TRPCMutationProcedure<{
        meta: object;
        input: { webhookId: string; overlapSeconds?: undefined | number };
        output: {
          id: string;
          url: string;
          description: string;
          events: (
            | "run.failed"
            | "run.recovered"
            | "feed.paused"
            | "feed.rate_limited"
            | "deletes.held"
            | "changes.available"
          )[];
          status: "enabled" | "disabled";
          disabledBy: null | "person" | "failing" | "gone";
          disabledReason: null | string;
          disabledAt: null | string;
          failingSince: null | string;
          consecutiveFailures: number;
          lastSuccessAt: null | string;
          waitsUntil: null | string;
          overlapUntil: null | string;
          createdAt: string;
          updatedAt: string;
          secret: string;
        };
      }>;
      test: TRPCMutationProcedure<{
        meta: object;
        input: { webhookId: string };
        output: {
          id: string;
          webhookId: string;
          type:
            | "run.failed"
            | "run.recovered"
            | "feed.paused"
            | "feed.rate_limited"
            | "deletes.held"
            | "changes.available"
            | "webhook.test";
          status: "failed" | "pending" | "delivered";
          isSending: boolean;
          attemptCount: number;
          nextAttemptAt: null | string;
          giveUpAt: string;
          createdAt: string;
          finishedAt: null | string;
          lastAttempt: null | {
            at: string;
            ms: number;
            status: null | number;
            error: null | { code: string; message: string };
            response: null | { contentType: null | string; body: string; isCut: boolean };
          };
          body: string;
          attempts: {
            at: string;
            ms: number;
            status: null | number;
            error: null | { code: string; message: string };
            response: null | { contentType: null | string; body: string; isCut: boolean };
          }[];
        };
      }>;
      deliveries: TRPCQueryProcedure<{
        meta: object;
        input: {
          webhookId: string;
          limit?: undefined | number;
          after?: undefined | string;
          status?: undefined | "failed" | "pending" | "delivered";
          type?:
            | undefined
            | "run.failed"
            | "run.recovered"
            | "feed.paused"
            | "feed.rate_limited"
            | "deletes.held"
            | "changes.available"
            | "webhook.test";
        };
        output: {
          items: {
            id: string;
            webhookId: string;
            type:
              | "run.failed"
              | "run.recovered"
              | "feed.paused"
              | "feed.rate_limited"
              | "deletes.held"
              | "changes.available"
              | "webhook.test";
            status: "failed" | "pending" | "delivered";
            isSending: boolean;
            attemptCount: number;
            nextAttemptAt: null | string;
            giveUpAt: string;
            createdAt: string;
            finishedAt: null | string;
            lastAttempt: null | {
              at: string;
              ms: number;
              status: null | number;
              error: null | { code: string; message: string };
              response: null | { contentType: null | string; body: string; isCut: boolean };
            };
          }[];
          nextAfter: null | string;
        };
      }>;
      delivery: TRPCQueryProcedure<{
        meta: object;
        input: { webhookId: string; deliveryId: string };
        output: {
          id: string;
          webhookId: string;
          type:
            | "run.failed"
            | "run.recovered"
            | "feed.paused"
            | "feed.rate_limited"
            | "deletes.held"
            | "changes.available"
            | "webhook.test";
          status: "failed" | "pending" | "delivered";
          isSending: boolean;
          attemptCount: number;
          nextAttemptAt: null | string;
          giveUpAt: string;
          createdAt: string;
          finishedAt: null | string;
          lastAttempt: null | {
            at: string;
            ms: number;
            status: null | number;
            error: null | { code: string; message: string };
            response: null | { contentType: null | string; body: string; isCut: boolean };
          };
          body: string;
          attempts: {
            at: string;
            ms: number;
            status: null | number;
            error: null | { code: string; message: string };
            response: null | { contentType: null | string; body: string; isCut: boolean };
          }[];
        };
      }>;
      resend: TRPCMutationProcedure<{
        meta: object;
        input: { webhookId: string; deliveryId: string };
        output: {
          id: string;
          webhookId: string;
          type:
            | "run.failed"
            | "run.recovered"
            | "feed.paused"
            | "feed.rate_limited"
            | "deletes.held"
            | "changes.available"
            | "webhook.test";
          status: "failed" | "pending" | "delivered";
          isSending: boolean;
          attemptCount: number;
          nextAttemptAt: null | string;
          giveUpAt: string;
          createdAt: string;
          finishedAt: null | string;
          lastAttempt: null | {
            at: string;
            ms: number;
            status: null | number;
            error: null | { code: string; message: string };
            response: null | { contentType: null | string; body: string; isCut: boolean };
          };
          body: string;
          attempts: {
            at: string;
            ms: number;
            status: null | number;
            error: null | { code: string; message: string };
            response: null | { contentType: null | string; body: string; isCut: boolean };
          }[];
        };
      }>;
    };
    ingest: {
      documents: TRPCMutationProcedure<{
        meta: object;
        input: {
          feedId: string;
          documents: unknown[];
          sourceId?: undefined | string;
          cursor?: unknown;
          cursorBefore?: unknown;
          runId?: undefined | string;
        };
        output: {
          documentsIndexed: number;
          documentsSkipped: number;
          documentsDeleted: number;
          created: number;
          updated: number;
          documentsRejected: {
            index: number;
            id: null | string;
            code:
              | "document_invalid"
              | "external_id_missing"
              | "external_id_invalid"
              | "external_id_too_long"
              | "version_invalid"
              | "version_kind_mismatch"
              | "version_missing"
              | "text_too_large"
              | "metadata_too_large"
              | "date_invalid";
            message: string;
          }[];
          cursor: null | string;
          cursorOutcome: "kept" | "advanced" | "unchanged";
          conflict: boolean;
          warnings: { code: "cursor_conflict" | "cursor_clamped" | "cursor_kept"; message: string }[];
          runId: string;
        };
      }>;
    };
    overview: {
      get: TRPCQueryProcedure<{
        meta: object;
        input: void;
        output: {
          health: {
            level: "empty" | "good" | "warning" | "bad";
            sentence: string;
            sources: number;
            feeds: number;
            byStatus: {
              active: number;
              paused: number;
              failing: number;
              needs_reconnect: number;
              deleting: number;
              rate_limited: number;
              disabled: number;
            };
            documents: number;
            activeRuns: number;
            due: number;
            lastSuccessAt: null | string;
          };
          attention: {
            cause: string;
            severity: "error" | "warning" | "notice";
            title: string;
            explanation: string;
            action: {
              kind:
                | "resume"
                | "sync"
                | "wait"
                | "reconnect"
                | "review_deletes"
                | "review_rejections"
                | "edit"
                | "look";
              label: string;
              bulk: null | "resume" | "sync";
            };
            count: number;
            feeds: {
              feedId: string;
              name: string;
              sourceId: string;
              sourceName: string;
              since: null | string;
              message: null | string;
            }[];
            feedIds: string[];
          }[];
          ingest: {
            minutes: { at: string; created: number; updated: number; deleted: number }[];
            documentsLastHour: number;
            documentsPerMinute: number;
          };
          activity: (
            | {
                type: "run";
                id: string;
                at: string;
                status: string;
                trigger: string;
                feedId: string;
                feedName: null | string;
                sourceId: string;
                sourceName: null | string;
                created: number;
                updated: number;
                deleted: number;
                rejected: number;
                message: null | string;
              }
            | {
                type: "act";
                id: string;
                at: string;
                actor: unknown;
                action: string;
                targetId: null | string;
                targetName: null | string;
              }
          )[];
        };
      }>;
      charts: TRPCQueryProcedure<{
        meta: object;
        input: undefined | { days?: undefined | number };
        output: {
          days: {
            day: string;
            documents: { created: number; updated: number; deleted: number };
            runs: { succeeded: number; partial: number; failed: number; cancelled: number };
            durations: null | { p50Ms: number; p95Ms: number };
          }[];
        };
      }>;
    };
    opml: {
      preview: TRPCMutationProcedure<{
        meta: object;
        input: { base64: string };
        output: {
          title: null | string;
          items: {
            index: number;
            url: string;
            shownUrl: string;
            title: null | string;
            groups: string[];
            status: "new" | "duplicate" | "invalid";
            reason: null | string;
            known: null | { feedId: string; sourceId: string; name: string };
          }[];
          counts: { "new": number; duplicate: number; invalid: number };
        };
      }>;
      import: TRPCMutationProcedure<{
        meta: object;
        input: { feeds: { url: string; title?: undefined | null | string; groups?: undefined | string[] }[] };
        output: {
          results: {
            index: number;
            shownUrl: string;
            outcome: "created" | "failed" | "duplicate" | "invalid";
            reason: null | string;
            feedId: null | string;
            sourceId: null | string;
          }[];
          created: number;
        };
      }>;
    };
    live: {
      events: TRPCSubscriptionProcedure<{
        meta: object;
        input: undefined | { lastEventId?: undefined | null | string };
        output: AsyncIterable<{
          id: string;
          data: {
            hints: {
              kind:
                | "person"
                | "workspace"
                | "token"
                | "documents"
                | "source"
                | "feed"
                | "webhook"
                | "run"
                | "all";
              ids: null | string[];
            }[];
          };
        }>;
      }>;
    };
  }
>;
