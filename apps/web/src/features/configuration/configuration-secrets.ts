import { isPlaceholder, type Configuration } from '@cadmus/model/configuration'
import { isSecretField } from '@cadmus/model/merge/configuration'
import type { SecretAdapter } from '../../drafts/draft-adapter.ts'

/** The connection password and the secret properties. Each stored secret has its own placeholder. */
export const configurationSecrets: SecretAdapter<Configuration> = { isAt: isSecretField, asStored }

/** Replaces typed secrets with their placeholders after the save. */
function asStored(sent: Configuration, saved: Configuration): (content: Configuration) => Configuration {
  const [before, stored] = [sent.packageProperties, saved.packageProperties]
  const properties = new Map(stored.customProperties.map(item => [item.name, item]))
  const typed = before.customProperties.filter(({ secret, value }) => secret && isTyped(value))
  const storedByName = new Map(typed.map(({ name, value }) => [name, { value, now: properties.get(name) }]))
  const { password } = before.connectionPoolInfo
  const passwordOf = (value: string) =>
    value === password && isTyped(password) ? stored.connectionPoolInfo.password : value
  return content => ({
    ...content,
    packageProperties: {
      connectionPoolInfo: {
        ...content.packageProperties.connectionPoolInfo,
        password: passwordOf(content.packageProperties.connectionPoolInfo.password),
      },
      customProperties: content.packageProperties.customProperties.map(item => {
        const sentSecret = item.secret ? storedByName.get(item.name) : undefined
        return sentSecret?.now?.secret && sentSecret.value === item.value
          ? { ...item, value: sentSecret.now.value }
          : item
      }),
    },
  })
}

function isTyped(value: string): boolean {
  return value !== '' && !isPlaceholder(value)
}
