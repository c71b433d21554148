const WORDS: Record<string, string> = {
  "consumer.delete": "forgot a consumer of the change feed",
  "feed.create": "added the feed",
  "feed.delete": "deleted the feed",
  "feed.disabled": "disabled the feed",
  "feed.move": "changed the address of",
  "feed.pause": "paused",
  "feed.paused": "paused after failures",
  "feed.redirect_adopted": "took over the new address of",
  "feed.reset": "reset the cursor of",
  "feed.resume": "resumed",
  "feed.update": "edited",
  "held_delete.approve": "approved held deletes of",
  "held_delete.dismiss": "dismissed held deletes of",
  "invitation.create": "invited somebody",
  "invitation.withdraw": "withdrew an invitation",
  "person.change_role": "changed the role of",
  "person.remove": "removed",
  "rejection.discard": "discarded a rejected document of",
  "source.create": "connected",
  "source.delete": "deleted the source",
  "source.pause": "paused the source",
  "source.resume": "resumed the source",
  "source.update": "edited the source",
  "store.restore": "restored a backup",
  "token.create": "created a token",
  "token.revoke": "revoked a token",
  "user.create": "added a person",
  "user.change_password": "changed their password",
  "user.rename": "changed their name",
  "user.reset_password": "reset a password",
  "user.sign_out_everywhere": "signed out everywhere",
  "webhook.create": "added a webhook",
  "webhook.delete": "deleted a webhook",
  "webhook.disabled": "disabled a webhook",
  "webhook.resend": "sent a delivery of a webhook again",
  "webhook.rotate": "rotated the secret of a webhook",
  "webhook.update": "edited a webhook",
  "workspace.create": "made the workspace",
  "workspace.rename": "renamed the workspace",
  "workspace.update_settings": "changed how long things are kept",
};

/** Of who did it to themselves: nobody is named behind them. */
const OWN_WORDS: Record<string, string> = {
  "person.change_role": "changed their own role",
  "person.remove": "left the workspace",
  "user.create": "joined",
};

/** "paused", to stand between who did it and what it was done to. */
export function actInWords(action: string): string {
  return WORDS[action] ?? action.replaceAll(/[._]/g, " ");
}

/** "joined", where both are the same person; null where that makes no difference. */
export function ownActInWords(action: string): string | null {
  return OWN_WORDS[action] ?? null;
}
