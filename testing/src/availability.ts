import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface Availability {
  readonly present: boolean
  /** The reason and the command to install it; empty if present. */
  readonly advice: string
}

export interface PostgresPrograms {
  readonly initdb: string
  readonly postgres: string
}

const DEBIAN_POSTGRES = '/usr/lib/postgresql'
const JAR_FOLDER = '/usr/share/java'

/** PostgreSQL's programs: on the path, else the highest version in Debian's folder. */
export function findPostgres(): PostgresPrograms | undefined {
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : []
  const folders = versions.sort((a, b) => Number(b) - Number(a)).map(version => join(DEBIAN_POSTGRES, version, 'bin'))
  const initdb = findProgram('initdb', folders)
  const postgres = findProgram('postgres', folders)
  return initdb === undefined || postgres === undefined ? undefined : { initdb, postgres }
}

export function findMariadb(): { server: string; install: string } | undefined {
  const server = findProgram('mariadbd', ['/usr/sbin'])
  const install = findProgram('mariadb-install-db')
  return server === undefined || install === undefined ? undefined : { server, install }
}

export type DumpProgram = { readonly name: 'pg_dump' | 'mariadb-dump' | 'mysqldump'; readonly path: string }

/** The tool that exports a database of the engine as a script. */
export function findDump(name: DumpProgram['name']): DumpProgram | undefined {
  const path = findProgram(name)
  return path === undefined ? undefined : { name, path }
}

/** A Java runtime with a compiler (as in Debian's headless package), as the runner is started from its source. */
export function findJava(): string | undefined {
  const java = findProgram('java')
  if (java === undefined) return undefined
  javaModules ??= modulesOf(java)
  return /\bjdk\.compiler\b/.test(javaModules) ? java : undefined
}

/** Reads the `release` file of Java if there is one, because each start of Java takes half a second. */
function modulesOf(java: string): string {
  const release = join(realpathSync(java), '../../release')
  if (existsSync(release)) return readFileSync(release, 'utf8')
  return spawnSync(java, ['--list-modules'], { encoding: 'utf8' }).stdout ?? ''
}

/** A jar by name, in CADMUS_JARS or in Debian's folder. */
export function findJar(name: 'hsqldb' | 'h2'): string | undefined {
  return [process.env['CADMUS_JARS'], JAR_FOLDER]
    .filter(folder => folder !== undefined)
    .map(folder => join(folder, `${name}.jar`))
    .find(path => existsSync(path))
}

export function postgresAvailability(): Availability {
  return answer(findPostgres() !== undefined, 'PostgreSQL is not installed: apt-get install postgresql')
}

export function mariadbAvailability(): Availability {
  return answer(findMariadb() !== undefined, 'MariaDB is not installed: apt-get install mariadb-server')
}

export function hsqldbAvailability(): Availability {
  const present = findJava() !== undefined && findJar('hsqldb') !== undefined
  return answer(present, 'HSQLDB or Java is not installed: apt-get install default-jre-headless libhsqldb-java')
}

export function h2Availability(): Availability {
  const present = findJava() !== undefined && findJar('h2') !== undefined
  return answer(present, 'H2 or Java is not installed: apt-get install default-jre-headless libh2-java')
}

/** The first executable of that name on the path or in `folders`. */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  const path = (process.env['PATH'] ?? '').split(delimiter)
  return [...path, ...folders].map(folder => join(folder, name)).find(candidate => existsSync(candidate))
}

let javaModules: string | undefined

/** Debian's Python, which has the packages installed by Debian, even if another Python is first on the path. */
export const debianPython = '/usr/bin/python3'

export function zeepAvailability(): Availability {
  hasZeep ??= spawnSync(debianPython, ['-c', 'import zeep']).status === 0
  return answer(hasZeep, 'zeep is not installed: apt-get install python3-zeep')
}

let hasZeep: boolean | undefined

function answer(present: boolean, advice: string): Availability {
  return { present, advice: present ? '' : advice }
}
