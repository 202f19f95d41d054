/**
 * A certified OpenID provider on loopback, for the tests of signing in: anybody may sign in under any name.
 *
 * Called with one JSON argument: { port, client_id, client_secret, redirect_uris, post_logout_redirect_uris,
 * backchannel_logout_uri }.
 */
import Provider from "oidc-provider";

const { port, ...client } = JSON.parse(process.argv[2]);
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ ...client, backchannel_logout_session_required: true }],
  claims: {
    openid: ["sub"],
    email: ["email", "email_verified"],
    profile: ["name"],
    groups: ["groups"],
  },
  scopes: ["openid", "email", "profile", "groups"],
  features: { backchannelLogout: { enabled: true } },
  // What people type as their login is their name here.
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      email: `${id}@example.com`,
      email_verified: true,
      name: id[0].toUpperCase() + id.slice(1),
      groups: ["staff"],
    }),
  }),
  cookies: { keys: ["only for tests"] },
});
provider.listen(port, "127.0.0.1", () => process.stdout.write("ready\n"));
