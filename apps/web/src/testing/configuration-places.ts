import type { Configuration } from '@cadmus/model/configuration'

export type Values = ReadonlyMap<string, string | undefined>

export const names = ['open', 'secret1', 'secret2'] as const
export const places = ['url', 'password', ...names] as const
export type Place = (typeof places)[number]
export const isName = (place: Place): place is (typeof names)[number] => place !== 'url' && place !== 'password'

export function valuesIn({ packageProperties: { connectionPoolInfo, customProperties } }: Configuration): Values {
  const byName = new Map(customProperties.map(({ name, value }) => [name, value]))
  const { url, password } = connectionPoolInfo
  return new Map<string, string | undefined>([
    ['url', url],
    ['password', password],
    ...names.map((name): [string, string | undefined] => [name, byName.get(name)]),
  ])
}
