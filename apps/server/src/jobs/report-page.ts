import { importReportLine } from '@cadmus/model/contract/shared'
import { visibleText } from '@cadmus/model/display'
import { gzipped } from '@cadmus/formats/deflate'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import type { ImportLine } from '../commands/manifest/import-messages.ts'

/** Encodes report lines for storage, compressed to a tenth because most lines repeat. */
export function packLines(lines: readonly ImportLine[]): string {
  return Buffer.from(gzipped(Buffer.from(JSON.stringify(lines.map(visibleLine))))).toString('base64')
}

export function unpackLines(body: string): ImportLine[] {
  return z.array(importReportLine).parse(JSON.parse(gunzipSync(Buffer.from(body, 'base64')).toString()))
}

export function visibleLine({ severity, path, message }: ImportLine): ImportLine {
  return { severity, path: visibleText(path), message: visibleText(message) }
}
