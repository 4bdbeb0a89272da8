import { allCalls } from '@cadmus/model/testing/calls'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { allRoutes } from '../routes/all.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('The page', () => {
  const webDir = temporaryFolder('web')
  let console: TestConsole
  beforeAll(async () => {
    mkdirSync(join(webDir, 'assets'))
    writeFileSync(join(webDir, 'index.html'), '<!doctype html><title>Cadmus</title>')
    writeFileSync(join(webDir, 'assets/main-3f2a.js'), `export const text = '${'x'.repeat(5000)}'`)
    writeFileSync(join(webDir, '.secret'), 'hidden')
    console = await startConsole({ config: { webDir } })
  })
  afterAll(async () => {
    await console.stop()
    removeFolder(webDir)
  })
  const get = (path: string, headers: Record<string, string> = html) => console.visitor().fetch(path, { headers })

  it('is served at the address of every screen, and always revalidated', async () => {
    for (const path of [
      '/',
      '/org',
      '/admin',
      '/packages?new=Shop',
      '/sso/login?code=1&state=2',
      '/sso/logout',
      '/error',
    ]) {
      const answer = await get(path)
      expect([path, answer.status]).toEqual([path, 200])
      expect(await answer.text()).toContain('<title>Cadmus</title>')
      expect(answer.headers.get('cache-control')).toBe('no-cache')
    }
  })

  it('compresses hashed assets and caches them permanently', async () => {
    const answer = await get('/assets/main-3f2a.js', { 'accept-encoding': 'gzip' })
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    expect((await get('/assets/gone.js')).status).toBe(404)
  })

  it('serves neither files outside its folder nor hidden files', async () => {
    for (const path of ['/.secret', '/%2e%2e/%2e%2e/etc/passwd', '/..%2f..%2fpackage.json', '/assets/%2e%2e/.secret']) {
      const text = await (await get(path, { accept: '*/*' })).text()
      expect(`${path} ${text}`).not.toMatch(/hidden|root:|workspaces/)
    }
  })

  it('runs only its own scripts and styles, and cannot be framed', async () => {
    const policy = (await get('/')).headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("style-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
  })

  it('redirects other loopback names to the public one', async () => {
    const address = `http://127.0.0.1:${console.context.port}/org?a=b`
    const answer = await console.visitor().fetch(address, { headers: html })
    expect(answer.status).toBe(307)
    expect(answer.headers.get('location')).toBe(`${console.url}/org?a=b`)
    const sly = await console
      .visitor()
      .fetch(`http://127.0.0.1:${console.context.port}//evil.example/`, { headers: html })
    expect(new URL(sly.headers.get('location') ?? console.url).origin).toBe(console.url)
  })
})

describe('Probes and the API description', () => {
  let console: TestConsole
  beforeAll(async () => {
    console = await startConsole()
  })
  afterAll(() => console.stop())
  const get = (path: string, headers: Record<string, string> = {}) => console.visitor().fetch(path, { headers })

  it('report the process as up and the store as ready', async () => {
    expect(await (await get('/health')).json()).toEqual({ status: 'up' })
    expect(await (await get('/ready')).json()).toEqual({ status: 'ready' })
  })

  it('report not ready while the store is unavailable', async () => {
    const own = await startConsole()
    await own.context.store.close()
    const answer = await own.visitor().fetch('/ready')
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ code: 'unavailable' })
    await own.stop()
  })

  it('report metrics by route, for this machine or a token', async () => {
    await get('/health')
    const answer = await get('/metrics')
    expect(await answer.text()).toContain(
      'cadmus_http_request_seconds_count{method="GET",route="/health",status="200"}',
    )
    // The loopback proxy reports a foreign client.
    const foreign = { 'x-forwarded-for': '203.0.113.9' }
    expect((await get('/metrics', foreign)).status).toBe(403)
  })

  it('the API description states access, headers, files and errors of every call', async () => {
    const description = z
      .object({ openapi: z.string(), paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
      .parse(await (await get('/openapi.json')).json())
    expect(description.openapi).toBe('3.1.0')
    const { get: authorize } = description.paths['/1.0/cdm/sso/authorize'] ?? {}
    const answer = (name: string) => ({
      content: { 'application/json': { schema: { properties: { [name]: expect.anything() } } } },
    })
    expect(authorize).toMatchObject({
      operationId: 'authorize',
      security: [],
      parameters: [{ in: 'header', name: 'X-Cadmus', required: true }],
      responses: { 200: answer('state'), default: answer('message') },
    })
    const configuration = {
      properties: { packageProperties: { properties: { customProperties: { type: 'array' } } } },
    }
    const tag = { headers: { ETag: { schema: { type: 'string' } } } }
    expect(description.paths['/1.0/cdm/manifest/{id}/configuration']).toMatchObject({
      get: {
        responses: {
          200: {
            content: { 'application/json': { schema: { properties: { manifestProperties: configuration } } } },
            ...tag,
          },
        },
      },
      post: {
        parameters: expect.arrayContaining([
          expect.objectContaining({ in: 'header', name: 'If-Match', required: true }),
          expect.objectContaining({ in: 'query', name: 'version', required: false }),
        ]),
        requestBody: { content: { 'application/json': { schema: configuration } } },
        responses: { 200: tag },
      },
    })
    const { post: download } = description.paths['/1.0/cdm/manifest/{id}/export'] ?? {}
    expect(download).toMatchObject({
      responses: {
        200: {
          content: { 'application/zip': { schema: { format: 'binary' } } },
          headers: { 'X-Cadmus-Notes': { schema: { type: 'string' } } },
        },
      },
    })
    const { post: upload } = description.paths['/1.0/cdm/entity/import'] ?? {}
    expect(upload).toMatchObject({
      requestBody: { content: { 'multipart/form-data': { schema: { required: ['entityFile'] } } } },
    })
    const calls = Object.values(allCalls).filter(call => allRoutes.some(route => route.call.id === call.id))
    const described = Object.values(description.paths).flatMap(path => Object.keys(path))
    expect(described).toHaveLength(calls.length)
  })

  it('the API description is shown on a page without external resources', async () => {
    const page = await (await console.visitor().follow('/api-reference', {}, '/never')).answer
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("connect-src 'self'")
    const text = await page.text()
    expect(text).toContain('/openapi.json')
    expect(text.match(/(?:src|href)="https?:/g) ?? []).toEqual([])
    const [, script] = /src="(js\/scalar\.js[^"]*)"/.exec(text) ?? []
    expect(script).toMatch(/\?v=\d/)
    const answer = await get(`/api-reference/${script}`)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await answer.text()).toContain('createApiReference')
  })

  it.each(['/api-reference/js/scalar.js', '/openapi.json'])(
    '%s is compressed once, with a tag per encoding',
    async path => {
      const read = async (headers: Record<string, string>) => {
        const answer = await get(path, headers)
        const { status } = answer
        const [tag, encoding] = ['etag', 'content-encoding'].map(name => answer.headers.get(name))
        return { status, tag: tag ?? '', encoding: encoding ?? null, text: await answer.text() }
      }
      const [brotli, zipped, plain] = await Promise.all(
        ['gzip, br', 'br;q=0, gzip', 'identity'].map(encoding => read({ 'accept-encoding': encoding })),
      )
      expect([brotli?.encoding, zipped?.encoding, plain?.encoding]).toEqual(['br', 'gzip', null])
      expect(plain?.text.length).toBeGreaterThan(10_000)
      expect([brotli?.text === plain?.text, zipped?.text === plain?.text]).toEqual([true, true])
      expect(new Set([brotli?.tag, zipped?.tag, plain?.tag]).size).toBe(3)
      expect(brotli?.tag).toMatch(/^"[^"]+"$/)
      const existing = await read({ 'accept-encoding': 'br', 'if-none-match': brotli?.tag ?? '' })
      expect([existing.status, existing.text, existing.tag]).toEqual([304, '', brotli?.tag])
      expect((await read({ 'accept-encoding': 'br', 'if-none-match': '"other"' })).status).toBe(200)
      expect((await get(path)).headers.get('cache-control')).toBe('no-cache')
    },
  )
})
