export const neighbours = async () => {}
