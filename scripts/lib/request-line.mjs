/**
 * The target of a request line as the path and query that everything behind expects.
 *
 * @param target `/path?query`; `http://host/path`, as proxies' clients send it and every server must take
 *   it (RFC 9112 §3.2.2); or `*`.
 */
export function readTarget(target) {
  return repairPath(toOriginForm(target));
}

/** The host in it is not looked at: there is one site here, whatever it is called. */
function toOriginForm(target) {
  if (target.startsWith("/")) return target;
  const absolute = /^https?:\/\/[^/?#]*([^#]*)/i.exec(target);
  if (!absolute) return "/";
  const rest = absolute[1];
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/**
 * Next answers 500 to a path whose escapes are not UTF-8. Escaped once more it is a path like any
 * other, which nothing has: 404, in the API's own format.
 */
function repairPath(url) {
  const [path, ...query] = url.split("?");
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll("%", "%25"), ...query].join("?");
  }
}
