import type { FastifyRequest } from 'fastify'

/** Returns the tag without quotes and weak prefix (added by compressing proxies), `*`, or undefined. */
export function ifMatchOf(headers: FastifyRequest['headers']): string | undefined {
  const header = headers['if-match']?.trim()
  if (header === undefined || header === '') return undefined
  if (header === '*') return '*'
  return header.replace(/^W\//, '').replace(/^"(.*)"$/, '$1')
}

export function writeEtag(tag: string): string {
  return `"${tag.replaceAll('"', '')}"`
}
