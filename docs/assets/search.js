// The search looks for all words that begin with one of the query's, so "a" of a pasted error or a question finds pages with
// many words in a. Such words are left out, if anything else is asked for.
const WORDS =
  "a an and are at be but by can do does for from has have how i if in is it its my no not of on or so that the this to " +
  "was what which why with";
const FILLERS = new RegExp(`(^|\\s)(?:${WORDS.replaceAll(" ", "|")})(?=\\s|$)`, "gi");
const post = Worker.prototype.postMessage;
const QUERY = 2; // a type of message of the theme's

Worker.prototype.postMessage = function (message, ...rest) {
  if (message?.type === QUERY && typeof message.data === "string") {
    const words = message.data.replace(FILLERS, " ").trim();
    message = { ...message, data: words || message.data };
  }
  return post.call(this, message, ...rest);
};
