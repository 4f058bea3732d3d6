import { isObject, type JsonObject } from '../reading.ts'

/** One kind of file that a service writes, known by fields that only this kind has. */
export interface Shape {
  /** The name by which the reader knows it. */
  readonly kind: string
  /** A noun phrase for people: `a response of its admin API`. */
  readonly what: string
  readonly fits: (data: unknown) => boolean
  /** The reason why it cannot be imported, as a sentence; absent where it can. */
  readonly refused?: string
}

/** Returns whether a file is an object that this test accepts. */
export const anObject =
  (test: (content: JsonObject) => boolean) =>
  (data: unknown): boolean =>
    isObject(data) && test(data)

/** Returns whether a list has an object that this test accepts. */
export const someItem = (list: unknown, test: (item: JsonObject) => boolean): boolean =>
  Array.isArray(list) && list.some((item) => isObject(item) && test(item))

/** Returns whether an object has a value that is an object which this test accepts. */
export const someEntry = (map: unknown, test: (entry: JsonObject) => boolean): boolean =>
  isObject(map) && Object.values(map).some((entry) => isObject(entry) && test(entry))

export const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
export const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0
