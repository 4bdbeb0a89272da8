import { packageDatabaseOf } from '@cadmus/model/database-types'
import type { Publication, RebuildCheck } from '../../api/publications.ts'
import { type Blueprint, emptyConnection, type Named, newConnection, openBlueprint } from './blueprint.ts'

type Repeated =
  | 'goal'
  | 'target'
  | 'hosted'
  | 'url'
  | 'signsIn'
  | 'apis'
  | 'schema'
  | 'database'
  | 'existing'
  | 'databaseType'
  | 'connection'
  | 'sql'
  | 'existingPackage'

/** The wizard's answers that would publish the same again. */
export type Answers = Pick<Blueprint, Repeated>

/** Answers that repeat a publication, without passwords. `hosted`: the hosted instances. */
export function answersOf(
  { packageName, version, instanceUrl, signedIn }: Publication,
  { publishAs, apis, sql, connection }: RebuildCheck,
  hosted: readonly { name: string; path: string }[],
): Answers {
  const { type, hasPassword, ...stored } = connection
  const instance = signedIn ? undefined : hosted.find(({ path }) => path === instanceUrl)
  const databaseType = packageDatabaseOf(type) ?? 'mysql'
  // A database of the instance is used without a password.
  const isExisting = !hasPassword && stored.databaseName !== ''
  return {
    goal: 'publish',
    target: instance ? 'hosted' : 'selfManaged',
    hosted: instance ? { name: instance.name, url: instanceUrl } : null,
    url: instance ? '' : instanceUrl,
    signsIn: signedIn,
    apis: publishAs === 'PACKAGE' ? apis : [],
    schema: publishAs === 'PACKAGE' ? null : publishAs,
    database: isExisting ? 'existing' : 'new',
    existing: isExisting ? { name: stored.databaseName, instance: instanceUrl } : null,
    databaseType,
    connection: stored.url === '' ? newConnection(databaseType) : { ...emptyConnection, ...stored },
    sql,
    existingPackage: { name: packageName, versions: [version] },
  }
}

/** The wizard with these answers. */
export function openAgain(manifest: Named, allowed: Blueprint['allowed'], answers: Answers): Blueprint {
  return {
    ...openBlueprint(manifest, allowed),
    ...answers,
    packageMode: 'existing',
    again: true,
    working: 'validating',
  }
}
