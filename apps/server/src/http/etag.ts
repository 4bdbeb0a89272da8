import type { FastifyRequest } from 'fastify'

/** The tag of `If-Match` without quotes and weakness (a compressing proxy adds it), `*`, or undefined where there is none. */
export function ifMatchOf(headers: FastifyRequest['headers']): string | undefined {
  const header = headers['if-match']?.trim()
  if (header === undefined || header === '') return undefined
  if (header === '*') return '*'
  return header.replace(/^W\//, '').replace(/^"(.*)"$/, '$1')
}

export function writeEtag(tag: string): string {
  return `"${tag.replaceAll('"', '')}"`
}
