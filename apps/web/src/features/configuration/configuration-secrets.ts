import { secretPlaceholder, type Configuration } from '@cadmus/model/configuration'
import { isEqual } from '@cadmus/model/equal'
import { isSecretField } from '@cadmus/model/merge-configuration'
import type { Place, SecretLaw } from '../../drafts/draft.ts'

type Property = Configuration['packageProperties']['customProperties'][number]

const listPath = 'packageProperties.customProperties.'

/** The connection password, and the properties that are marked secret: of both the page sees a placeholder. */
export const configurationSecrets: SecretLaw<Configuration> = {
  touched: (base, mine, theirs) => {
    // Two placeholders look the same, whatever they stand for.
    const [was, is] = [passwordOf(base), passwordOf(theirs)]
    if (was === secretPlaceholder && is === secretPlaceholder && passwordOf(mine) !== was) return true
    const [now, others] = [propertiesOf(mine), propertiesOf(theirs)]
    return base.packageProperties.customProperties.some(
      item => item.secret && others.get(item.name)?.secret === true && !isEqual(item, now.get(item.name)),
    )
  },
  isAt: isSecretField,
  differs: (place, base, mine) => {
    if (place.field === 'password') return passwordOf(base) !== passwordOf(mine)
    const name = propertyIn(place)
    if (name === null) return !isEqual(base.packageProperties.customProperties, mine.packageProperties.customProperties)
    return !isEqual(propertiesOf(base).get(name), propertiesOf(mine).get(name))
  },
  isThere: (place, content) => {
    const name = propertyIn(place)
    return name === null || propertiesOf(content).has(name)
  },
  asBefore: (places, base, mine) => places.reduce((now, place) => withoutMine(place, base, now), mine),
}

function withoutMine(place: Place, base: Configuration, mine: Configuration): Configuration {
  if (!isSecretField(place, [base, mine])) return mine
  const { connectionPoolInfo, customProperties } = mine.packageProperties
  const properties = (change: Partial<Configuration['packageProperties']>): Configuration => ({
    ...mine,
    packageProperties: { ...mine.packageProperties, ...change },
  })
  if (place.field === 'password')
    return properties({ connectionPoolInfo: { ...connectionPoolInfo, password: passwordOf(base) } })
  const name = propertyIn(place)
  if (name === null) return properties({ customProperties: base.packageProperties.customProperties })
  const before = propertiesOf(base).get(name)
  if (!before) return properties({ customProperties: customProperties.filter(item => item.name !== name) })
  const isThere = customProperties.some(item => item.name === name)
  const list = isThere
    ? customProperties.map(item => (item.name === name ? before : item))
    : [...customProperties, before]
  return properties({ customProperties: list })
}

function passwordOf({ packageProperties }: Configuration): string {
  return packageProperties.connectionPoolInfo.password
}

function propertiesOf({ packageProperties }: Configuration): Map<string, Property> {
  return new Map(packageProperties.customProperties.map(item => [item.name, item]))
}

/** The name of the property that a place is in; null: it is none, or the list. */
function propertyIn({ path }: Place): string | null {
  return path.startsWith(listPath) ? path.slice(listPath.length) : null
}
