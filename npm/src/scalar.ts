// The module for engines without vectors, which the others need not load.
import packed from "packed:scalar";

/** @internal */
export default packed;
