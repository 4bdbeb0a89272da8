import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ClientMetadata, type Configuration, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import * as z from 'zod'
import { limits } from '@cadmus/model/limits'
import type { Config } from '../../config.ts'
import { writeOnce } from '../../data-dir.ts'
import { ApiError } from '../../errors/api-error.ts'
import { openProviderStore } from './adapter.ts'
import { type DemoUser, demoUsers } from './demo-users.ts'
import { messagePage, type ProviderPage, signOutPage } from './pages.ts'

export const mountPath = '/oidc'
export const picturePath = `${mountPath}/pictures`
export const clientId = 'cadmus-console'
/** The client for callers of packages, in an instance's explorer or a script: public, with PKCE instead of a secret. */
const callerId = 'cadmus-instance'

/** The bundled identity provider, for development and demos. */
export type DevelopmentProvider = {
  /** Null until the console listens, because the issuer is the console's address. */
  readonly current: Provider | null
  readonly clientSecret: string
  open: (publicUrl: URL) => void
  close: () => void
}

export function createDevelopmentProvider(config: Config): DevelopmentProvider {
  const keys = loadKeys(config.dataDir)
  const store = openProviderStore(config.dataDir)
  let current: Provider | null = null
  return {
    get current() {
      return current
    },
    clientSecret: keys.clientSecret,
    open(publicUrl) {
      const provider = new Provider(`${publicUrl.origin}${mountPath}`, {
        ...settings(publicUrl, keys, config),
        adapter: store.adapter,
      })
      // The mount passes the public address in these headers.
      provider.proxy = true
      provider.on('server_error', restoreStatus)
      current = provider
    },
    close: () => store.close(),
  }
}

/** The provider answers 500 to every server error; this restores the status of ours, such as a full disk. */
function restoreStatus(context: KoaContextWithOIDC, error: Error): void {
  if (!(error instanceof ApiError)) return
  context.status = error.status
  if (error.retryAfter !== undefined) context.set('retry-after', String(error.retryAfter))
}

const seconds = 1000
const short = limits.sessionLifetime / seconds
const long = limits.refreshLifetime / seconds

const lifetimes = {
  AccessToken: short,
  IdToken: short,
  AuthorizationCode: 60,
  Interaction: limits.signInLifetime / seconds,
  // Anonymous sessions expire quickly.
  Session: (_context: KoaContextWithOIDC, session: { accountId?: string | undefined }) =>
    session.accountId === undefined ? limits.signInLifetime / seconds : long,
  Grant: long,
  RefreshToken: long,
}

function settings(publicUrl: URL, keys: ProviderKeys, config: Config): Configuration {
  return {
    clients: [ownClient(publicUrl, keys), ...callerClients(config)],
    pkce: { required: (_context, client) => client.clientAuthMethod === 'none' },
    clientBasedCORS: (_context, origin, client) => client.clientId === callerId && originsOf(config).includes(origin),
    jwks: { keys: [keys.signing] },
    cookies: {
      keys: [keys.cookies],
      names: { session: 'cadmus_idp', interaction: 'cadmus_idp_interaction', resume: 'cadmus_idp_resume' },
      long: { httpOnly: true, sameSite: 'lax', signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username', 'picture', 'groups', 'cadmus_admin', 'cadmus_permissions'],
      email: ['email'],
    },
    // Puts all claims into the ID token, which saves the userinfo request.
    conformIdTokenClaims: false,
    findAccount: (_context, subject) => accountOf(subject, publicUrl, config),
    loadExistingGrant: grantOf,
    interactions: { url: (_context, interaction) => `${mountPath}/interaction/${interaction.uid}` },
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    ttl: lifetimes,
    renderError(context, out, error) {
      const description = error instanceof ApiError ? error.message : out.error_description
      const message = description ?? 'The request to the identity provider was not valid.'
      show(context, messagePage('Sign in', message, config.demo))
    },
    features: features(publicUrl, config),
  }
}

function ownClient(publicUrl: URL, keys: ProviderKeys): ClientMetadata {
  return {
    client_id: clientId,
    client_secret: keys.clientSecret,
    redirect_uris: [`${publicUrl.origin}/sso/login`],
    post_logout_redirect_uris: [`${publicUrl.origin}/`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
}

/**
 * The client for callers of packages, whose tokens return to an instance's explorer. Registered only if instances are
 * configured.
 */
function callerClients(config: Config): ClientMetadata[] {
  const origins = originsOf(config)
  if (origins.length === 0) return []
  return [
    {
      client_id: callerId,
      token_endpoint_auth_method: 'none',
      redirect_uris: origins.map(origin => `${origin}/api-explorer`),
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ]
}

function originsOf({ instances }: Config): string[] {
  return instances.map(({ url }) => url.origin)
}

function features(publicUrl: URL, config: Config): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    revocation: { enabled: true },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (context, form) => show(context, signOutPage(form, originsOf(config).join(' '), config.demo)),
      postLogoutSuccessSource: context => show(context, messagePage('Sign out', 'You are signed out.', config.demo)),
    },
    resourceIndicators: resources(publicUrl, config),
  }
}

/** Access tokens are JWTs for one resource: the console or a configured instance. */
function resources(publicUrl: URL, config: Config) {
  const existing = [publicUrl.origin, ...originsOf(config)]
  return {
    enabled: true,
    defaultResource: () => publicUrl.origin,
    useGrantedResource: () => true,
    getResourceServerInfo: (context: KoaContextWithOIDC, resource: string) => {
      const origin = resource.replace(/\/$/, '')
      if (!existing.includes(origin)) throw new errors.InvalidTarget()
      return {
        // Packages define the scopes of an instance, so any may be requested; the grant restricts them.
        scope: origin === publicUrl.origin ? ownScopes : [ownScopes, ...requestedScopes(context)].join(' '),
        audience: resource,
        accessTokenFormat: 'jwt' as const,
        accessTokenTTL: limits.sessionLifetime / seconds,
        jwt: { sign: { alg: 'RS256' as const } },
      }
    },
  }
}

function accountOf(subject: string, publicUrl: URL, config: Config) {
  const user = demoUsers.find(existing => existing.subject === subject)
  if (user === undefined) return undefined
  return { accountId: user.subject, claims: async () => ({ sub: user.subject, ...claimsOf(user, publicUrl, config) }) }
}

function claimsOf(user: DemoUser, publicUrl: URL, { demoPermissions }: Config) {
  return {
    name: user.fullname,
    preferred_username: user.subject,
    ...(user.picture === undefined ? {} : { picture: `${publicUrl.origin}${picturePath}/${user.subject}.svg` }),
    email: user.email,
    groups: user.groups,
    cadmus_admin: user.isAdmin,
    ...(demoPermissions ? { cadmus_permissions: user.permissions } : {}),
  }
}

const ownScopes = 'openid profile email'
const maxScopes = 200

/** Returns the requested scopes, or the scopes of the redeemed code. */
function requestedScopes({ oidc }: KoaContextWithOIDC): string[] {
  const scope = oidc.entities.AuthorizationCode?.scope ?? oidc.params?.['scope']
  return typeof scope === 'string' ? scope.split(' ').slice(0, maxScopes) : []
}

/**
 * Grants the requested scopes to our own clients without consent. Of an instance's scopes, only those that match a
 * group of the user are granted; administrators get all.
 */
async function grantOf(context: KoaContextWithOIDC) {
  const { client, session, provider, params } = context.oidc
  const isOwn = client?.clientId === clientId || client?.clientId === callerId
  if (client === undefined || !isOwn || session?.accountId === undefined) return undefined
  const grantId = session.grantIdFor(client.clientId)
  const existing = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const grant = existing ?? new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  const scope = typeof params?.['scope'] === 'string' ? params['scope'] : 'openid'
  grant.addOIDCScope(scope)
  const user = demoUsers.find(({ subject }) => subject === session.accountId)
  for (const [resource, { scopes }] of Object.entries(context.oidc.resourceServers ?? {})) {
    const [allowed, refused] = partitionScopes([...scopes], user)
    grant.addResourceScope(resource, allowed.join(' '))
    if (refused.length > 0) grant.rejectResourceScope(resource, refused.join(' '))
  }
  await grant.save()
  return grant
}

function partitionScopes(
  scopes: readonly string[],
  user: DemoUser | undefined,
): [allowed: string[], refused: string[]] {
  const own = new Set(ownScopes.split(' '))
  const isAllowed = (scope: string) => own.has(scope) || user?.isAdmin === true || user?.groups.includes(scope) === true
  return [scopes.filter(isAllowed), scopes.filter(scope => !isAllowed(scope))]
}

function show(context: KoaContextWithOIDC, { html, policy }: ProviderPage): void {
  context.type = 'html'
  context.set('content-security-policy', policy)
  context.body = html
}

const keysSchema = z.object({
  signing: z.looseObject({ kty: z.string(), kid: z.string(), alg: z.string(), use: z.string() }),
  cookies: z.string().min(32),
  clientSecret: z.string().min(32),
})
type ProviderKeys = z.output<typeof keysSchema>

/**
 * Returns the development provider's keys. Each data directory has its own, so tokens of one installation are invalid
 * on another.
 */
function loadKeys(dataDir: string): ProviderKeys {
  const file = join(dataDir, 'identity-provider.json')
  writeOnce(file, () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const kid = randomBytes(8).toString('hex')
    return JSON.stringify({
      signing: { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' },
      cookies: randomBytes(32).toString('base64url'),
      clientSecret: randomBytes(32).toString('base64url'),
    })
  })
  return keysSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
}
