import { instanceUrlOf } from '@cadmus/model/contract/instance'
import { messages } from '@cadmus/model/messages'

/** What was entered for an upload. `way`: by what one signs in at an instance that is none of the hosted ones. */
export type Upload = {
  instance: string
  way: 'credentials' | 'token'
  username: string
  password: string
  token: string
  started: boolean
}

export const newUpload: Upload = {
  instance: '',
  way: 'credentials',
  username: '',
  password: '',
  token: '',
  started: false,
}

/** What is wrong with what was chosen or typed for the instance. */
export function instanceProblem(instance: string): string | null {
  if (instance.trim() === '') return messages.packages.instance.required
  return instanceUrlOf(instance) === undefined ? messages.packages.instance.url : null
}

/** What was typed, once the field is left: with the scheme that is assumed. What is no address stays as it is. */
export function withScheme(instance: string): string {
  return instanceUrlOf(instance) ?? instance
}

/** How the instance is asked; a hosted one needs nobody's password. */
export function accessOf(upload: Upload, hosted: ReadonlySet<string> | undefined) {
  const { instance, way, username, password, token } = upload
  const instanceUrl = withScheme(instance)
  if (isHosted(instance, hosted)) return { instanceUrl }
  if (way === 'token') return { instanceUrl, ...(token === '' ? {} : { token }) }
  return { instanceUrl, ...(username === '' ? {} : { credentials: { username, password } }) }
}

export function isHosted(instance: string, hosted: ReadonlySet<string> | undefined): boolean {
  const url = withScheme(instance)
  return [...(hosted ?? [])].some(address => withScheme(address) === url)
}

/** Whether something was entered that closing would lose. */
export function isEntered(upload: Upload): boolean {
  return (['instance', 'username', 'password', 'token'] as const).some(field => upload[field] !== newUpload[field])
}
