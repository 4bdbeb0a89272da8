import type { InstanceSettings } from '../config.ts'

export type Credentials = { username: string; password: string }

/** Where an instance is, and how it lets the console in. */
export type InstanceTarget = {
  url: URL
  /** Its name on screens: the host. */
  name: string
  /** Whether the operator named it: others are called only where anybody could reach them. */
  trusted: boolean
  /** Whether the console is let in by its own secret, as it is for all its organisations. */
  shared: boolean
  /** Null: it is asked as nobody. */
  access: { token: string } | { credentials: Credentials } | null
}

type Settings = { instances: readonly InstanceSettings[]; allowedInstances: readonly string[] }
type Asked = { instanceUrl: string; credentials?: Credentials | undefined; token?: string | undefined }

/**
 * The instance of a request. What was sent to get in counts; the secret of a hosted instance is for that very address and no other.
 */
export function instanceTarget({ instances, allowedInstances }: Settings, asked: Asked): InstanceTarget {
  const url = new URL(asked.instanceUrl)
  const hosted = instances.find(instance => addressOf(instance.url) === addressOf(url))
  const isAllowed = allowedInstances.some(allowed => allowed === url.origin || allowed === url.host)
  const own = ownAccess(asked)
  return {
    url,
    name: url.host,
    trusted: hosted !== undefined || isAllowed,
    shared: own === null && hosted !== undefined,
    access: own ?? (hosted?.secret ? { token: hosted.secret } : null),
  }
}

/** As a workspace's path has it, and as it is compared. */
export function addressOf(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function ownAccess({ credentials, token }: Asked): InstanceTarget['access'] {
  if (token !== undefined && token !== '') return { token }
  if (credentials !== undefined && credentials.username !== '') return { credentials }
  return null
}
