import { isPlaceholder, secretMeant, secretPlaceholder, type Configuration } from '@cadmus/model/configuration'
import { isEqual } from '@cadmus/model/equal'
import { isSecretField } from '@cadmus/model/merge-configuration'
import type { Place, SecretLaw } from '../../drafts/draft-law.ts'

type Property = Configuration['packageProperties']['customProperties'][number]

const listPath = 'packageProperties.customProperties.'
const passwordPlace: Place = { path: 'packageProperties.connectionPoolInfo', field: 'password' }

/** The connection password, and the properties that are marked secret: of both the page sees a placeholder. */
export const configurationSecrets: SecretLaw<Configuration> = {
  touched: (base, mine, theirs) => {
    // Two placeholders look the same, whatever they stand for.
    const [was, is] = [passwordOf(base), passwordOf(theirs)]
    const isTyped = was === secretPlaceholder && is === secretPlaceholder && passwordOf(mine) !== was
    const [now, others] = [propertiesOf(mine), propertiesOf(theirs)]
    const changed = base.packageProperties.customProperties.filter(
      item => item.secret && others.get(item.name)?.secret === true && !isEqual(item, now.get(item.name)),
    )
    const properties = changed.map(({ name }) => ({ path: `${listPath}${name}`, field: 'value' }))
    return isTyped ? [passwordPlace, ...properties] : properties
  },
  changed: (before, after) => {
    if (passwordOf(before) !== '' && passwordOf(after) !== passwordOf(before)) return true
    const kept = propertiesOf(after)
    return before.packageProperties.customProperties.some(item => item.secret && !isEqual(item, kept.get(item.name)))
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
  asStored,
  overtaken: (sent, now) => {
    const typed = propertiesOf(sent)
    const kept = new Set(sent.packageProperties.customProperties.map(({ value }) => value))
    const names = now.packageProperties.customProperties.flatMap(({ name, value, secret }) => {
      const before = secret ? secretMeant({ name, value }) : null
      const is = before === null ? undefined : typed.get(before)
      return before !== null && is?.secret && !isPlaceholder(is.value) && !kept.has(value) ? [name] : []
    })
    const isTyped = passwordOf(now) === secretPlaceholder && passwordOf(sent) !== secretPlaceholder
    return isTyped ? ['The connection password', ...names] : names
  },
}

/** A placeholder is another one once its property was saved under another name, and what was typed is one. */
function asStored(sent: Configuration, saved: Configuration): (content: Configuration) => Configuration {
  const stored = propertiesOf(saved)
  const [names, typed] = [new Map<string, string>(), new Map<string, string>()]
  for (const { name, value, secret } of sent.packageProperties.customProperties) {
    const now = stored.get(name)
    if (!secret || !now?.secret) continue
    if (isPlaceholder(value)) names.set(value, now.value)
    else typed.set(name, now.value)
  }
  const sentOf = propertiesOf(sent)
  const valueOf = ({ name, value, secret }: Property) => {
    if (!secret) return value
    return names.get(value) ?? (sentOf.get(name)?.value === value ? typed.get(name) : undefined) ?? value
  }
  const [password, kept] = [passwordOf(sent), passwordOf(saved)]
  // Where none was sent, what is there now is somebody else's. What the one before it stood for is gone with that.
  const isStored = (value: string) => value === secretPlaceholder || (value !== '' && value === password)
  return content => ({
    ...content,
    packageProperties: {
      connectionPoolInfo: {
        ...content.packageProperties.connectionPoolInfo,
        password: isStored(passwordOf(content)) ? kept : passwordOf(content),
      },
      customProperties: content.packageProperties.customProperties.map(item => ({ ...item, value: valueOf(item) })),
    },
  })
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
