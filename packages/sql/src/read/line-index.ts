/** Maps offsets to lines and columns; the line starts are determined on first use. */
export class LineIndex {
  readonly #text: string
  #starts: number[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  position(at: number): { line: number; column: number } {
    const starts = (this.#starts ??= this.#find())
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 }
  }

  #find(): number[] {
    const starts = [0]
    for (let at = this.#text.indexOf('\n'); at >= 0; at = this.#text.indexOf('\n', at + 1)) starts.push(at + 1)
    return starts
  }
}
