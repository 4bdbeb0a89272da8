import { instanceUrlOf } from '@cadmus/model/contract/instance'
import { messages } from '@cadmus/model/messages'

/** Input of an upload. `method`: sign-in method for an instance that is not hosted. */
export type Upload = {
  instance: string
  method: 'credentials' | 'token'
  username: string
  password: string
  token: string
  started: boolean
}

export const newUpload: Upload = {
  instance: '',
  method: 'credentials',
  username: '',
  password: '',
  token: '',
  started: false,
}

/** Reason why the instance is invalid; null if it is valid. */
export function instanceProblem(instance: string): string | null {
  if (instance.trim() === '') return messages.packages.instance.required
  return instanceUrlOf(instance) === undefined ? messages.packages.instance.url : null
}

/** Adds the default scheme once the field is left. An invalid address is unchanged. */
export function withScheme(instance: string): string {
  return instanceUrlOf(instance) ?? instance
}

/** Access parameters of the request; a hosted instance needs no credentials. */
export function accessOf(upload: Upload, hosted: ReadonlySet<string> | undefined) {
  const { instance, method, username, password, token } = upload
  const instanceUrl = withScheme(instance)
  if (isHosted(instance, hosted)) return { instanceUrl }
  if (method === 'token') return { instanceUrl, ...(token === '' ? {} : { token }) }
  return { instanceUrl, ...(username === '' ? {} : { credentials: { username, password } }) }
}

export function isHosted(instance: string, hosted: ReadonlySet<string> | undefined): boolean {
  const url = withScheme(instance)
  return [...(hosted ?? [])].some(address => withScheme(address) === url)
}

/** Whether closing would lose input. */
export function isEntered(upload: Upload): boolean {
  return (['instance', 'username', 'password', 'token'] as const).some(field => upload[field] !== newUpload[field])
}
