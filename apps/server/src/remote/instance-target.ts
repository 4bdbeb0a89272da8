import type { Failures } from '@cadmus/model/failures'
import type { InstanceSettings } from '../config.ts'

export type Credentials = { username: string; password: string }

/** Address and access of an instance. */
export type InstanceTarget = {
  url: URL
  /** Display name: the host. */
  name: string
  /** Whether the operator configured the instance; others are called only at public addresses. */
  trusted: boolean
  /** Whether the console uses its own secret, which all organisations share. */
  shared: boolean
  /** Null: anonymous. */
  access: { token: string } | { credentials: Credentials } | null
  /** Counts an attempt to sign in; returns the function that cancels the count. Throws an ApiError 429 after too many. */
  beginSignIn: () => () => void
}

type Settings = { instances: readonly InstanceSettings[]; allowedInstances: readonly string[] }
type TargetContext = { config: Settings; rates: { instanceSignIns: Failures } }
type InstanceRequest = { instanceUrl: string; credentials?: Credentials | undefined; token?: string | undefined }

/** Per minute, user and instance. Below the limit of an instance for one name, which all users share. */
const maxWrongPasswords = 6

/**
 * Resolves the instance of a request. Credentials of the request take precedence; the secret of a hosted instance is
 * sent to its exact address only.
 */
export function instanceTarget(
  { config: { instances, allowedInstances }, rates: { instanceSignIns } }: TargetContext,
  request: InstanceRequest,
  userId: string,
): InstanceTarget {
  const url = new URL(request.instanceUrl)
  const hosted = instances.find(instance => addressOf(instance.url) === addressOf(url))
  const isAllowed = allowedInstances.some(allowed => allowed === url.origin || allowed === url.host)
  const own = ownAccess(request)
  return {
    url,
    name: url.host,
    trusted: hosted !== undefined || isAllowed,
    shared: own === null && hosted !== undefined,
    access: own ?? (hosted?.secret ? { token: hosted.secret } : null),
    beginSignIn: () => instanceSignIns.begin([{ key: JSON.stringify([userId, url.host]), max: maxWrongPasswords }]),
  }
}

/** Normalised address for paths of workspaces and comparisons. */
export function addressOf(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Whether the request brings its own credentials. */
export function hasOwnAccess(request: Omit<InstanceRequest, 'instanceUrl'>): boolean {
  return ownAccess(request) !== null
}

function ownAccess({ credentials, token }: Omit<InstanceRequest, 'instanceUrl'>): InstanceTarget['access'] {
  if (token !== undefined && token !== '') return { token }
  if (credentials !== undefined && credentials.username !== '') return { credentials }
  return null
}
