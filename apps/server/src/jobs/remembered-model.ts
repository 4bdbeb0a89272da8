import { newValidator } from '@cadmus/model/validate'
import { newSchemaNotes } from '@cadmus/sql/schema-notes'
import { ModelReader } from '../store/model-source.ts'
import { WrittenProblems } from './written-problems.ts'

/** What was found out about a manifest, to go on from when it is asked about again. */
export class RememberedModel {
  readonly reader = new ModelReader()
  readonly validator = newValidator()
  readonly schemaNotes = newSchemaNotes()
  readonly answers = new WrittenProblems()

  /** Characters of the contents, as what was found out about them grows with these, and bytes of the answer. */
  get size(): number {
    return this.reader.size + this.answers.size
  }
}
