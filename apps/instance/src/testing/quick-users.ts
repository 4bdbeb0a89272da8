import { randomBytes, scryptSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'

/** For tests: writes users with the password 'correct horse', hashed cheaply for tests with many guesses. */
export function writeQuickUsers(
  file: string,
  users: readonly (readonly [name: string, groups: string, tenant: string])[],
): void {
  const salt = randomBytes(16)
  const hash = scryptSync('correct horse', salt, 32, { N: 1024, r: 8, p: 1 })
  const stored = ['scrypt', 1024, 8, 1, salt.toString('base64url'), hash.toString('base64url')].join('$')
  writeFileSync(file, users.map(([name, groups, tenant]) => `${name}:${stored}:${groups}:${tenant}\n`).join(''))
}
