import { isPlaceholder, secretMeant, secretPlaceholder, type Configuration } from '@cadmus/model/configuration'
import { messages } from '@cadmus/model/messages'
import { invalid } from '../../errors/api-error.ts'

/** Closes a secret for the store. */
export type Box = { close: (text: string) => string }
type Properties = Configuration['packageProperties']['customProperties']

/** The configuration as it is stored: every secret encrypted. A placeholder means the secret that is stored already. */
export function sealed(box: Box, wanted: Configuration, stored: Configuration): Configuration {
  const { connectionPoolInfo, customProperties } = wanted.packageProperties
  const known = stored.packageProperties
  const { password } = connectionPoolInfo
  const close = (value: string) => (value === '' ? '' : box.close(value))
  const before = storedSecrets(customProperties, known.customProperties)
  return {
    ...wanted,
    packageProperties: {
      connectionPoolInfo: {
        ...connectionPoolInfo,
        password: password === secretPlaceholder ? known.connectionPoolInfo.password : close(password),
      },
      customProperties: customProperties.map((item, index) => {
        if (!item.secret) return item
        return { ...item, value: isPlaceholder(item.value) ? (before.get(index) ?? '') : close(item.value) }
      }),
    },
  }
}

/**
 * The stored secret that each placeholder stands for, by its place: that of the name which it says, or of the property's own. 400 where
 * there is none, or where two want the same: what it was would be lost without a word.
 */
function storedSecrets(wanted: Properties, stored: Properties): Map<number, string> {
  const left = new Map(stored.flatMap(({ name, secret, value }) => (secret ? [[name, value]] : [])))
  const found = new Map<number, string>()
  for (const [index, { name, secret, value }] of wanted.entries()) {
    const known = secret ? secretMeant({ name, value }) : null
    if (known === null) continue
    const kept = left.get(known)
    if (kept === undefined) {
      const message = messages.secretUnknown(name)
      throw invalid(message, [{ path: `packageProperties.customProperties.${index}.value`, message }])
    }
    left.delete(known)
    found.set(index, kept)
  }
  return found
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
