import { newValidator } from '@cadmus/model/validate'
import { newSchemaNotes } from '@cadmus/sql/schema-notes'
import { ModelReader } from '../store/model-source.ts'
import { ProblemWriter } from './problem-writer.ts'

/** Cached data of a manifest, reused by its next validation. */
export class CachedModel {
  readonly reader = new ModelReader()
  readonly validator = newValidator()
  readonly schemaNotes = newSchemaNotes()
  readonly answers = new ProblemWriter()

  /** Characters of the contents, which the derived data grows with, plus bytes of the answer. */
  get size(): number {
    return this.reader.size + this.answers.size
  }
}
