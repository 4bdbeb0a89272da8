import { secretPlaceholder, type Configuration } from '@cadmus/model/configuration'

/** Closes a secret for the store. */
export type Box = { close: (text: string) => string }

/**
 * The configuration as it is stored: every secret encrypted. A placeholder means the secret that is stored already; of properties
 * the one of that name.
 */
export function sealed(box: Box, wanted: Configuration, stored: Configuration): Configuration {
  const { connectionPoolInfo, customProperties } = wanted.packageProperties
  const known = stored.packageProperties
  const seal = (value: string, before: string) => {
    if (value === secretPlaceholder) return before
    return value === '' ? '' : box.close(value)
  }
  const secretOf = (name: string) => known.customProperties.find(item => item.secret && item.name === name)?.value ?? ''
  return {
    ...wanted,
    packageProperties: {
      connectionPoolInfo: {
        ...connectionPoolInfo,
        password: seal(connectionPoolInfo.password, known.connectionPoolInfo.password),
      },
      customProperties: customProperties.map(item =>
        item.secret ? { ...item, value: seal(item.value, secretOf(item.name)) } : item,
      ),
    },
  }
}
