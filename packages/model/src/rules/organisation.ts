import { type ApiType, apiTypes } from '../configuration.ts'
import { type DatabaseType, databaseTypeOf, databaseTypeTable } from '../database-types.ts'
import type { Licence } from '../licence.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { packageMessages } from '../messages/packages.ts'
import { tokenTexts } from '../messages/tokens.ts'
import { hiddenPackages } from '../package.ts'
import { allProblems, boundedText, hiddenCharacters, isTaken, type TakenNames } from './names.ts'

/** Code of a new organisation: permanent, and used in requests. */
export function organisationCode(value: string): string | undefined {
  if (value.trim() === '') return messages.fieldRequired
  const isCode = /^[A-Z0-9_-]+$/.test(value)
  return allProblems(
    boundedText(value, limits.organisationCode),
    isCode ? undefined : messages.administration.codePattern,
  )
}

/** Display name of an organisation. */
export function organisationName(value: string): string | undefined {
  if (value.trim() === '') return messages.fieldRequired
  return allProblems(
    boundedText(value, limits.organisationName),
    value === value.trim() ? undefined : messages.administration.surroundingSpaces,
    hiddenCharacters(value),
  )
}

/** Name of a package: the folder in its zip, and its name on an instance. */
export function packageName(value: string): string | undefined {
  if (value.trim() === '') return messages.fieldRequired
  const isPlain = /^[A-Za-z0-9_-]+$/.test(value)
  const problem = allProblems(boundedText(value, limits.packageName), isPlain ? undefined : packageMessages.namePattern)
  if (problem) return problem
  const isReserved = hiddenPackages.includes(value.toLowerCase())
  return isReserved ? packageMessages.nameReserved(value) : undefined
}

/** `taken`: names of the user's other active access tokens. */
export function tokenName(value: string, { taken }: { taken?: TakenNames } = {}): string | undefined {
  const name = value.trim()
  const problem = allProblems(boundedText(name, limits.token.name), hiddenCharacters(name))
  if (problem) return problem
  return taken && isTaken(name, taken) ? tokenTexts.exists(name, null) : undefined
}

/** A typed number: a subscription (0 for none) or the manifest limit of a licence. */
export function countUpTo(text: string, max: number): string | undefined {
  if (text.trim() === '') return messages.fieldRequired
  return /^\d{1,15}$/.test(text.trim()) && Number(text) <= max ? undefined : messages.administration.count(max)
}

const apiNames = { REST: 'REST', SOAP: 'SOAP', GRAPHQL: 'GraphQL' } as const

/** Reason why the licence excludes an API. SOAP is in every licence; an unknown licence allows all. */
export function licensedApi(api: ApiType, licence: Pick<Licence, 'rest' | 'graphql'> | null): string | undefined {
  const included = { REST: licence?.rest ?? true, SOAP: true, GRAPHQL: licence?.graphql ?? true }
  if (included[api]) return undefined
  return messages.notLicensed(
    apiNames[api],
    apiTypes.filter(type => included[type]).map(type => apiNames[type]),
  )
}

/** The database of any spelling, by default the first of the licence, or why it is excluded. */
export function licensedDatabase(
  requested: string | undefined,
  { databaseTypes }: Pick<Licence, 'databaseTypes'>,
): { type: DatabaseType } | { refusal: string } {
  const type = requested === undefined ? databaseTypes[0] : databaseTypeOf(requested)
  if (type !== undefined && databaseTypes.includes(type)) return { type }
  const name = type === undefined ? (requested ?? 'a database') : databaseTypeTable[type].label
  const allowed = databaseTypes.map(one => databaseTypeTable[one].label)
  return { refusal: messages.notLicensed(name, allowed.length > 0 ? allowed : ['no database']) }
}
