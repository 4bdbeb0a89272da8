import { blueprintTexts } from '@cadmus/model/messages/blueprint'
import { instanceUrlOf } from '@cadmus/model/contract/instance'
import { packageMessages } from '@cadmus/model/messages/packages'
import { licensedDatabase, packageName } from '@cadmus/model/rules/organisation'
import type { Instance } from '../../api/instance-calls.ts'
import { stepsOf, type Blueprint, type Connection } from './blueprint.ts'

/** Reason why Next is unavailable; undefined if it is available. */
export function problemOf(state: Blueprint): string | undefined {
  switch (state.step) {
    case '1':
      return state.manifest === null ? blueprintTexts.manifestRequired : undefined
    case '2':
      return state.goal === null ? blueprintTexts.optionRequired : undefined
    case '2a':
      return targetProblem(state)
    case '3':
      return state.apis.length === 0 && state.schema === null ? blueprintTexts.contentRequired : undefined
    case '3a1':
      return databaseProblem(state)
    case '3a2':
      return emptyFields(state).map(field => blueprintTexts.fieldRequired[field])[0]
    case '3a3':
      return state.sql === null ? blueprintTexts.sqlRequired : undefined
    case '4':
      return packageProblem(state)
    case '5':
      return state.settings === null ? blueprintTexts.configurationUnread : undefined
  }
}

/** The first step that has a problem, or the summary. Passwords are never stored: they have to be typed again. */
export function firstOpenStep(state: Blueprint): Blueprint['step'] {
  const isSignInOpen = state.target === 'selfManaged' && state.signsIn && state.credentials.password === ''
  const isOpen = (step: Blueprint['step']) =>
    problemOf({ ...state, step }) !== undefined || (step === '2a' && isSignInOpen)
  return stepsOf(state).find(step => step !== '5' && step !== '3a3' && isOpen(step)) ?? '5'
}

const skippable: ReadonlySet<Blueprint['step']> = new Set(['3', '3a1', '3a2', '3a3'])

/** Whether the steps up to the summary, which lists their answers, have no open question. */
export function maySkip(state: Blueprint): boolean {
  const { step, settings, working } = state
  return skippable.has(step) && settings !== null && working === null && firstOpenStep(state) === '5'
}

/** Whether the data of the step is still loading. */
export function isReading({ step, details, sql, settings }: Blueprint): boolean {
  if (step === '3a2') return details === 'loading'
  return step === '3a3' ? sql === null : step === '5' && settings === null
}

/** Alert above the step: the server's refusal, or a problem that belongs to no single field. */
export function alertOf(state: Blueprint): string | undefined {
  const isOfNoField = ['2', '3', '3a3', '5'].includes(state.step)
  return state.refused ?? (isOfNoField ? fieldProblem(state) : undefined)
}

/** Problem of the step's only field, shown once Next was pressed. */
export function fieldProblem(state: Blueprint): string | undefined {
  return state.attempted ? problemOf(state) : undefined
}

function targetProblem(state: Blueprint): string | undefined {
  if (state.target === 'hosted') return state.hosted === null ? blueprintTexts.hostedRequired : undefined
  if (state.url.trim() === '') return blueprintTexts.urlRequired
  if (instanceUrlOf(state.url) === undefined) return blueprintTexts.urlInvalid
  return state.test?.connected === false ? blueprintTexts.testFailed : undefined
}

function databaseProblem({ database, existing, details, databaseType, allowed }: Blueprint): string | undefined {
  if (database === 'existing') {
    if (existing === null) return blueprintTexts.databaseRequired
    if (details === 'failed') return packageMessages.failed.databaseDetails
    if (details === null || details === 'loading') return undefined
  }
  const verdict = licensedDatabase(databaseType, { databaseTypes: allowed })
  return 'refusal' in verdict ? verdict.refusal : undefined
}

const connectionFields = ['url', 'username', 'password', 'databaseName'] as const

/** An existing database is referenced by name: the instance has its credentials. */
export function neededFields({ database }: Blueprint): readonly (keyof Connection)[] {
  return database === 'existing' ? ['url', 'databaseName'] : connectionFields
}

export function emptyFields(state: Blueprint): readonly (keyof Connection)[] {
  return neededFields(state).filter(field => state.connection[field].trim() === '')
}

function packageProblem({ packageMode, existingPackage, newPackage }: Blueprint): string | undefined {
  if (packageMode === 'new')
    return newPackage.trim() === '' ? blueprintTexts.packageNameRequired : packageName(newPackage)
  return existingPackage === null ? blueprintTexts.packageRequired : undefined
}

/** Checks a typed name immediately; a missing name is reported by Next. */
export function newNameProblem({ newPackage }: Blueprint): string | undefined {
  return newPackage.trim() === '' ? undefined : packageName(newPackage)
}

/** The target instance in request form; null if there is none. */
export function instanceOf(state: Blueprint): Instance | null {
  if (state.goal !== 'publish') return null
  if (state.target === 'hosted') return state.hosted && { instanceUrl: state.hosted.url }
  const instanceUrl = instanceUrlOf(state.url)
  if (instanceUrl === undefined) return null
  return { instanceUrl, ...(state.credentials.username === '' ? {} : { credentials: state.credentials }) }
}

/** The package name, '' until a name is chosen. */
export function packageOf({ packageMode, existingPackage, newPackage }: Blueprint): string {
  return packageMode === 'new' ? newPackage : (existingPackage?.name ?? '')
}
