import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { writeOnce } from '../../data-dir.ts'

const keysSchema = z.object({
  signing: z.looseObject({ kty: z.string(), kid: z.string(), alg: z.string(), use: z.string() }),
  cookies: z.string().min(32),
  clientSecret: z.string().min(32),
})
export type ProviderKeys = z.output<typeof keysSchema>

/**
 * Returns the development provider's keys. Each data directory has its own, so tokens of one installation are invalid
 * on another.
 */
export function loadKeys(dataDir: string): ProviderKeys {
  const file = join(dataDir, 'identity-provider.json')
  writeOnce(file, () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const kid = randomBytes(8).toString('hex')
    return JSON.stringify({
      signing: { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' },
      cookies: randomBytes(32).toString('base64url'),
      clientSecret: randomBytes(32).toString('base64url'),
    })
  })
  return keysSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
}
