/** A value that gives its fields by name without being plain data, such as an answer. */
export interface Fields {
  field(name: string): unknown;
}
