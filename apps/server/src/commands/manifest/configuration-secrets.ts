import { isPlaceholder, type Configuration } from '@cadmus/model/configuration'
import { messages } from '@cadmus/model/messages'
import { invalid } from '../../errors/api-error.ts'
import type { StoredSecrets } from './stored-secrets.ts'

/** Closes a secret for the store. */
export type Box = { close: (text: string) => string }

/** The configuration as it is stored: every secret encrypted. 400 where something stands for a secret that is not there. */
export function sealed(box: Box, wanted: Configuration, stored: StoredSecrets): Configuration {
  const { connectionPoolInfo, customProperties } = wanted.packageProperties
  const { password } = connectionPoolInfo
  const closed = (value: string, kept: string | undefined, at: string, name: string) => {
    if (value === '') return ''
    if (!isPlaceholder(value)) return box.close(value)
    if (kept !== undefined) return kept
    const message = messages.secretUnknown(name)
    throw invalid(message, [{ path: `packageProperties.${at}`, message }])
  }
  const valueOf = ({ name, value }: { name: string; value: string }, index: number) =>
    closed(value, stored.property(name, value), `customProperties.${index}.value`, name)
  return {
    ...wanted,
    packageProperties: {
      connectionPoolInfo: {
        ...connectionPoolInfo,
        password: closed(password, stored.password(password), 'connectionPoolInfo.password', 'Connection Password'),
      },
      customProperties: customProperties.map((item, index) =>
        item.secret ? { ...item, value: valueOf(item, index) } : item,
      ),
    },
  }
}

/** Which secrets are others than before, by name and without a value; empty where none is. `sealed` ones are told apart by how they are closed. */
export function changedSecrets(before: Configuration, after: Configuration): string {
  const [was, is] = [before.packageProperties, after.packageProperties]
  const stored = new Map(was.customProperties.flatMap(({ name, secret, value }) => (secret ? [[name, value]] : [])))
  const changed = is.customProperties.filter(
    ({ name, secret, value }) => secret && (stored.get(name) ?? value) !== value,
  )
  return [
    ...(was.connectionPoolInfo.password === is.connectionPoolInfo.password
      ? []
      : ['The connection password was changed.']),
    ...changed.map(({ name }) => `The secret value of ${name} was changed.`),
  ].join(' ')
}
