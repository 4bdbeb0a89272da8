import type { InstanceSettings } from '../config.ts'

export type Credentials = { username: string; password: string }

/** Where an instance is, and how it lets the console in. */
export type InstanceTarget = {
  url: URL
  /** Its name on screens: the host. */
  name: string
  /** Whether the operator named it: others are called only where anybody could reach them. */
  trusted: boolean
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
  return {
    url,
    name: url.host,
    trusted: hosted !== undefined || isAllowed,
    access: accessOf(asked, hosted?.secret ?? null),
  }
}

/** As a workspace's path has it, and as it is compared. */
export function addressOf(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function accessOf({ credentials, token }: Asked, secret: string | null): InstanceTarget['access'] {
  if (token !== undefined && token !== '') return { token }
  if (credentials !== undefined && credentials.username !== '') return { credentials }
  return secret === null ? null : { token: secret }
}
