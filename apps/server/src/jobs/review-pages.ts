import { gunzipSync } from 'node:zlib'
import { gzipped } from '@cadmus/formats/deflate'
import { reviewLimits } from '@cadmus/model/import-review-limits'
import type { Enumeration } from '@cadmus/model/enumeration'
import type { ReviewedEntity } from '@cadmus/model/contract/import-review'
import type { ImportInput, ImportLine, ReviewHead } from '../commands/manifest/import-messages.ts'
import type { Db } from '../store/database.ts'
import { reviewPage, type ReviewPart } from '../store/import-review.ts'

// The stored form of a review. It lives for an hour at most; servers of one release read it.

/** Items of a stored page; bytes of one of the upload. */
export const pageSizes = { entities: 500, findings: 500, upload: 1024 * 1024 } as const

/** `uid`: of the file; `from`: index of its first finding. */
export type ReviewRow = ReviewedEntity & { uid: string | null; from: number }

/** The choices of the call, and its answer. */
export type StoredHead = { input: Omit<ImportInput, 'bytes' | 'port' | 'leftOut'>; head: ReviewHead }

type Items = { entities: ReviewRow; findings: ImportLine }

type Place = { organisationId: number; jobId: number }

export function packItems(items: readonly unknown[] | StoredHead): string {
  return textOf(gzipped(Buffer.from(JSON.stringify(items))))
}

/** Most uploads are compressed already. */
export function packUpload(bytes: Uint8Array): string {
  return textOf(bytes)
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

export async function readHead(db: Db, place: Place): Promise<StoredHead | undefined> {
  const bytes = await pageAt(db, place, 'head', 0)
  return bytes && JSON.parse(gunzipSync(bytes).toString())
}

/** Items of a part from `offset` on, at most `limit`. */
export async function readItems<P extends keyof Items>(
  db: Db,
  place: Place,
  part: P,
  { offset, limit }: { offset: number; limit: number },
): Promise<Items[P][]> {
  const size = pageSizes[part]
  const items: Items[P][] = []
  const end = offset + Math.min(limit, reviewLimits.page)
  for (let page = Math.floor(offset / size); page * size < end; page += 1) {
    const bytes = await pageAt(db, place, part, page)
    if (bytes === undefined) break
    const all: Items[P][] = JSON.parse(gunzipSync(bytes).toString())
    items.push(...all.slice(Math.max(0, offset - page * size), end - page * size))
  }
  return items
}

/** Those of all manifests of the file. */
export async function readEnumerations(db: Db, place: Place): Promise<Enumeration[]> {
  const all: Enumeration[] = []
  for (let page = 0; ; page += 1) {
    const bytes = await pageAt(db, place, 'enumerations', page)
    if (bytes === undefined) return all
    const items: Enumeration[] = JSON.parse(gunzipSync(bytes).toString())
    all.push(...items)
  }
}

export async function readUpload(db: Db, place: Place): Promise<Uint8Array> {
  const parts: Buffer[] = []
  for (let page = 0; ; page += 1) {
    const bytes = await pageAt(db, place, 'upload', page)
    if (bytes === undefined) return new Uint8Array(Buffer.concat(parts))
    parts.push(bytes)
  }
}

async function pageAt(
  db: Db,
  { organisationId, jobId }: Place,
  part: ReviewPart,
  page: number,
): Promise<Buffer | undefined> {
  const body = await reviewPage(db, organisationId, { jobId, part, page })
  return body === undefined ? undefined : Buffer.from(body, 'base64')
}
