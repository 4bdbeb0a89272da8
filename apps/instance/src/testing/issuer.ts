import { createServer } from 'node:http'
import { createPublicKey, type webcrypto } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** An OIDC issuer for tests, with discovery, keys and arbitrary tokens. */
export async function startIssuer() {
  const [own, foreign] = await Promise.all([rsaKeys(), rsaKeys()])
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }
  let isAway = false
  const server = createServer((request, answer) => {
    if (isAway) return void answer.writeHead(500).end()
    const body = request.url === '/keys' ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/keys` }
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const sign = (
    claims: JWTPayload,
    header: { alg?: string; typ?: string; kid?: string },
    key: webcrypto.CryptoKey | Uint8Array,
  ) =>
    new SignJWT({ iss: issuer, sub: 'ada', exp: Math.floor(Date.now() / 1000) + 600, ...claims })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'own', ...header })
      .sign(key)
  return {
    url: issuer,
    token: (claims: JWTPayload, header = {}) => sign(claims, header, own.privateKey),
    /** Signed with a foreign key under the key id of the issuer. */
    forged: (claims: JWTPayload) => sign(claims, {}, foreign.privateKey),
    /** An HMAC with the public key of the issuer as secret. */
    async confused(claims: JWTPayload) {
      const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
      return sign(claims, { alg: 'HS256' }, Buffer.from(pem))
    },
    unsigned(claims: JWTPayload) {
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const whole = { iss: issuer, sub: 'ada', exp: Math.floor(Date.now() / 1000) + 600, ...claims }
      return `${part({ alg: 'none', typ: 'at+jwt' })}.${part(whole)}.`
    },
    goAway: (away: boolean) => void (isAway = away),
    stop: () => new Promise(resolve => server.close(resolve)),
  }
}

function rsaKeys() {
  return generateKeyPair('RS256', { extractable: true })
}
